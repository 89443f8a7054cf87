"""The index: each rule in the words of this package, and the code that implements it."""

from domain.rulebook.index import index

RULES = index(
    "srd_slice",
    """
SRD-INI-01 flow.new_round: Everybody makes a Dexterity check; the highest acts first
SRD-INI-02 flow.ranked: The table orders ties; here the higher Dexterity, then who joined first
SRD-TRN-01 flow.turn: On a turn one moves up to one's speed and takes one action
SRD-TRN-02 attack.lacking: One action a turn, and a bonus action if something grants one
SRD-TRN-03 attack.may_react: One reaction, regained when one's turn begins
SRD-MOV-01 moving.refusals: A square costs 5 ft of movement, diagonals too
SRD-MOV-02 moving.in_the_way: Enemies bar the way; nobody ends a move in another's space
SRD-ATK-01 attack.attack: d20 and modifiers reach the armor class to hit
SRD-ATK-02 attack.struck: A natural 20 hits and a natural 1 misses, whatever the sum
SRD-ATK-03 attack.unreachable: A melee attack reaches 5 ft, or as far as the weapon's reach
SRD-CRT-01 attack.struck: A critical hit rolls all dice of the damage twice
SRD-ADV-01 numbers.d20: With advantage the higher of two d20 counts, with disadvantage the lower
SRD-ADV-02 numbers.d20: Advantage and disadvantage cancel each other, however many there are
SRD-RNG-01 numbers.d20: Beyond the normal range there is disadvantage, beyond the long one no attack
SRD-RNG-02 numbers.d20: A ranged attack beside an able enemy has disadvantage
SRD-OPP-01 attack.opportunity: Whoever leaves an enemy's reach may be struck, right before
SRD-DIS-01 moving.provoked: Who disengages draws no opportunity attacks in that turn
SRD-DSH-01 flow.dash: Dash gives as much movement again as the speed
SRD-DOD-01 flow.dodge: Attacks against a dodger have disadvantage until its next turn
SRD-SAV-01 harm.save: A saving throw is a d20 and a bonus against a difficulty
SRD-CND-01 states.unable: The paralyzed and the unconscious take no actions or reactions
SRD-CND-02 numbers.d20: Attacks against them have advantage
SRD-CND-03 attack.struck: Hits on them from within 5 ft are critical
SRD-HP-01 harm.at_zero: Damage lowers hit points, to 0 at the lowest
SRD-HP-02 harm.at_zero: Damage left over at 0 kills when it is as much as the maximum
SRD-HP-03 harm.at_zero: Most monsters die at 0 hit points
SRD-HP-04 harm.at_zero: Others fall unconscious and are dying
SRD-DTH-01 harm.death_save: Each turn at 0: 10 or more succeeds; three of a kind decide
SRD-DTH-02 harm.death_save: A natural 1 counts as two failures, a natural 20 gives 1 hit point
SRD-DTH-03 harm.hurt: Damage at 0 is a failure, from a critical hit two
SRD-DTH-04 harm.forgotten: Healing wakes the dying, and the saves are forgotten
SRD-DTH-05 harm.stabilized: A Medicine check of 10 stabilizes; damage undoes that
SRD-SPL-01 spells.uncastable: A spell costs a slot of its level
SRD-SPL-02 spells.pay: A bonus-action spell leaves no room for another spell in the turn
SRD-SPL-03 spells.uncastable: A target must be within the range of the spell
SRD-CON-01 spells.hold_person: Another spell with concentration ends the one before
SRD-CON-02 harm.keep_concentration: Damage: a Constitution save of 10 or half of it keeps the spell
SRD-CON-03 harm.spells_ended: Who is incapacitated or dead concentrates no more
SRD-MMI-01 spells.magic_missile: Three darts hit at once for 1d4 + 1 each
SRD-HLW-01 spells.healing_word: A bonus action heals 1d4 and the spellcasting modifier
SRD-HLD-01 spells.hold_person: A humanoid that fails a Wisdom save is paralyzed
SRD-HLD-02 spells.struggle: It saves again at the end of each of its turns
""",
)
