"""The index: every rule of the rulebook, in a line of our own, and the code that implements it.

Where the rulebook leaves something open, the line names the decision.
"""

from domain.rulebook.index import index

RULES = index(
    "domain.rulesets.definitions",
    """
DEF-GEN-01 sheet.check_options: The table chooses a death roll when it opens the combat
DEF-GEN-02 costs.turn: Only the combatant on turn declares actions, and none during another,
  except reactions
DEF-GEN-03 costs.begun: Before the fight begins: joining, placing, rulings
DEF-GEN-04 ending.is_offered: The GM is offered the end when at most one side stands
DEF-GEN-05 numbers.ability_modifier: Modifiers and divisions round down. Halves are compared
  exactly
DEF-GEN-06 powers.share: Saves and checks succeed at the DC. Faces 1 and 20 have no meaning of
  their own
DEF-GEN-07 states.flat_footed: There is no surprise round, and nobody begins flat-footed
DEF-GEN-08 death_saves.attempt: A d% shows 1 to 100, and 100 is the highest
DEF-HP-01 harm.deal: Damage after reductions comes off HP
DEF-HP-02 consequences.numbers_hold: HP stop at 0. The record has the whole damage
DEF-HP-03 sheet.tracks: Maximum HP are data
DEF-HP-04 harm.heal: Healing stops at the maximum. The dead are not healed
DEF-HP-05 states.awake: A low number alone has no effect
DEF-HP-06 harm.while_down: Struck at 0 HP: no new wound, no save, the GM rules
DEF-NLD-01 harm.deal: NLD counts up beside HP, without a limit
DEF-NLD-02 harm.deal: A hit with both kinds changes both
DEF-NLD-03 consequences.falling: NLD of at least the current HP: unconscious
DEF-NLD-04 consequences.rising: Awake at once when NLD is below HP again
DEF-NLD-05 consequences.falling: NLD alone neither bleeds nor wounds
DEF-NLD-06 consequences.falling: Unconscious by NLD and then at 0 HP: everything of 0 HP
DEF-REC-01 rulings.rest: A day gives max(1, Constitution) × HD HP
DEF-REC-02 rulings.rest: A Constitution modifier of 0 or less counts as 1 there
DEF-REC-03 rulings.rest: NLD goes down five times as fast
DEF-REC-04 rulings.at_rest: Rest is no combat action
DEF-REC-05 harm.heal: A healing spell heals both one for one, unless its data restrict it
DEF-REC-06 rulings.rest: The dead and the bleeding do not recover
DEF-WLD-01 arms.slots: Two slots: primary and offhand
DEF-WLD-02 actions.weapons.ready_requirements: A weapon goes into the primary slot only
DEF-WLD-03 sheet.in_offhand: Shields and foci go into either slot
DEF-WLD-04 numbers.ability_damage: A two-handed weapon goes with a shield or focus
DEF-WLD-05 actions.weapons.ready_requirements: Readying and stowing: what fits, what is full
DEF-WLD-06 actions.weapons.draw_refusals: Only one weapon is ready at a time. Natural ones always
  are
DEF-WLD-07 numbers.shield_bonus: Of two shields the better one counts
DEF-WLD-08 arms.ready: Only a ready weapon strikes
DEF-UNT-01 numbers.hampered: Untrained armor hampers attacks, movement skills, riding
DEF-UNT-02 powers.fails: Untrained armor: half of all spells fail
DEF-UNT-03 numbers.attack_terms: Untrained weapon: −3 to attack and damage
DEF-UNT-04 board.threatening: An untrained weapon threatens nothing
DEF-UNT-05 numbers.hampered: Both add up. Trained armor costs nothing
DEF-DTH-01 consequences.of_death: Three failed saves in a row: dead, out of the order
DEF-DTH-02 death_saves.death_save: The same for everybody
DEF-DTH-03 rulings.fixed: One style for the whole combat
DEF-DTH-04 turns.turn_start: One save at each own turn-start. After healing during the save, it
  acts next turn
DEF-DTH-05 turns.on_turn: A combatant that drops in its own turn saves first in its next
DEF-DTH-06 death_saves.death_save: Each failure counts, and the third kills
DEF-DTH-07 death_saves.death_save: Success stabilizes and clears the failures
DEF-DTH-08 consequences.rising: A later fall begins without failures
DEF-DTH-09 consequences.rising: Healing above 0 ends the bleeding
DEF-DAE-01 death_saves.attempt: All-equal: d% of 51 or more saves
DEF-DAE-02 death_saves.needed_now: All-equal: 10 more for every failure
DEF-DAE-03 death_saves.needed_now: All-equal: the failure of massive damage counts too
DEF-DST-01 death_saves.needed_now: Stats-matter: Fortitude against 10 + HD − Constitution
DEF-DST-02 death_saves.needed_now: Stats-matter: a bad Constitution raises the DC, which does not
  grow
DEF-DST-03 death_saves.death_save: Stats-matter: stabilized or one failure
DEF-DBR-01 death_saves.needed_now: Brutality: Fortitude against 10 + the damage that dropped it
DEF-DBR-02 consequences.numbers_hold: Brutality: the whole damage of that one hit
DEF-DBR-03 rulings.set_track: Brutality: by massive damage its hit, else the HP lost
DEF-DBR-04 death_saves.attempt: Brutality: stabilized or one failure. The DC stays
DEF-STB-01 consequences.rising: Stabilized: 0 HP, unconscious, no more saves
DEF-STB-02 consequences.rising: Ends above 0 HP, by new lethal damage, by death
DEF-STB-03 rulings.set_condition: First aid is the GM's
DEF-INC-01 consequences.falling: At 0 HP: wound, unconscious, prone, exposed, bleeding out
DEF-INC-02 states.helpless_towards: The unconscious are helpless
DEF-INC-03 states.unable: The unconscious do nothing and hinder nobody
DEF-INC-04 turns.turn_start: The unconscious stay in the order
DEF-INC-05 consequences.what_unconsciousness_ends: Unconsciousness ends turn, hold, delay, stances
  and a led grapple. Raising it at once does not bring the turn back
DEF-WND-01 death_saves.wound: Each fall to 0 HP gives one wound, named by the DM
DEF-WND-02 death_saves.wound: The wound stays, healed or not
DEF-WND-03 rulings.worsening: An untreated wound may become an injury
DEF-MAS-01 harm.deal: Half of the maximum HP from one hit
DEF-MAS-02 harm.Hit: One hit alone, all of it
DEF-MAS-03 harm.massive: Fortitude against 10 + the attacker's HD, at once
DEF-MAS-04 harm.massive: Success: nothing more
DEF-MAS-05 harm.massive: Failure: 0 HP and one failed death save
DEF-MAS-06 harm.deal: Saved also when the damage itself drops it
DEF-MAS-07 harm.massive: Without an attacker the GM names the DC
DEF-INI-01 initiative.initiative: d20 + bonus each, highest first
DEF-INI-02 flow.round_start: Rolled once for all rounds
DEF-INI-03 initiative.arranged: Equals roll against each other. A joiner comes after a settled
  group
DEF-INI-04 initiative.arranged: That roll decides only among them
DEF-INI-05 initiative.arranged: Still equal: again, only those
DEF-INI-06 initiative.throw: Decimals: a hundredth of the bonus
DEF-INI-07 initiative.throw: With decimals a tie needs equal bonuses
DEF-INI-08 initiative.enter: Newcomers roll at once. A passed place waits for the next round
DEF-DLY-01 actions.end_turn.may_delay: Delay before any action, without a trigger
DEF-DLY-02 turns.resume: Turn-start is not repeated
DEF-DLY-03 turns.turn_end: Later in the same round, with the whole budget
DEF-DLY-04 turns.boundary: Asked after each later turn, never in its midst
DEF-DLY-05 turns.resume: The place moves to where it acts
DEF-DLY-06 turns.delays_lost: Waited to the end of the round: the turn is lost
DEF-DLY-07 actions.end_turn.may_delay: Reactions stay. A resumed turn is not delayed again
DEF-RND-01 flow.round_end: A round of 6 seconds ends when all have had their turn
DEF-RND-02 facts.IMMEDIATE: Limits by the round count in the own round
DEF-SPC-01 board.space: Small and medium fill one square, larger ones more
DEF-SPC-02 actions.move.tumbles: Hostile squares are passed by acrobatics only
DEF-SPC-03 passage.permission: Allies may let somebody pass
DEF-SPC-04 board.may_stop: No move ends in an occupied square. The helpless hinder nobody
DEF-SPC-05 movement.path_refusals: 5 ft a square, diagonals too
DEF-RCH-01 board.rings: Medium and small threaten the adjacent squares
DEF-RCH-02 board.may_stop: Smaller ones fight in the opponent's square, and threaten their own
DEF-RCH-03 board.distance: Distance between the nearest squares
DEF-RCH-04 board.rings: A reach weapon adds a ring
DEF-RCH-05 board.reaches: The reach weapon of a small combatant does not reach the corners
DEF-RCH-06 board.rings: Larger ones by natural reach. Tiny ones gain nothing
DEF-RCH-07 board.threatening: Threatening needs a trained weapon of the melee
DEF-RCH-08 manoeuvre.in_reach: No melee attack beyond reach. Without places, the GM decides
DEF-SIZ-01 numbers.strength_terms: Size modifiers are data, for both sides
DEF-OPP-01 opposed_rolls.throws: The higher total wins, the aggressor rolls first
DEF-OPP-02 opposed_rolls.throws: Ties are rolled again by both
DEF-OPP-03 opposed_rolls.throws: No criticals and no least margin
DEF-TRN-01 costs.refusals: Kinds of action
DEF-TRN-02 turns.turn_start: An effect that lasts to the next turn ends first in that turn
DEF-TRN-03 turns.turn_end: One standard, one move and one swift action. The rest is lost
DEF-TRN-04 states.unable: A disabled combatant has no turn
DEF-TRN-05 costs.spend: The standard for another move, never the reverse
DEF-TRN-06 costs.spend: A standard action takes the whole of it
DEF-TRN-07 costs.spend: Or one, several, all attack actions
DEF-TRN-08 numbers.attack_bonuses: As many as the bonus gives, from the highest down
DEF-TRN-09 powers.KINDS: An ability labelled standard is a standard action
DEF-MOV-01 actions.move.move: A path up to the movement. Leaving a threatened square provokes
DEF-MOV-02 actions.move.five_foot_step: A five-foot step in place of a move, provoking nothing
DEF-MOV-03 actions.items.retrieve_item: Getting something from a bag
DEF-MOV-04 actions.items.ACTIVATE_ITEM: Items that are moved to work
DEF-MOV-05 actions.weapons.draw_weapon: Drawing a weapon standing still
DEF-MOV-06 actions.posture.stand_up: Standing up and dropping prone
DEF-MOV-07 actions.items.DRINK_POTION: Drinking a potion
DEF-MOV-08 movement.may_walk: The prone do not walk
DEF-MOV-09 deeds.deed: Foes that threaten the actor react before it takes effect
DEF-STD-01 costs.spend: Attacks and what is done in their place
DEF-STD-02 actions.grapple.grapple: Grapple and shove
DEF-STD-03 actions.items.USE_ITEM: Items that are used
DEF-STD-04 actions.cast.spell_kind: Casting, by the entry's cost
DEF-STD-05 actions.cast.ability_kind: Abilities, by the entry's cost
DEF-FRE-01 costs.refusals: Any number, no two the same
DEF-FRE-02 actions.free.speak: Speaking, in the own turn
DEF-FRE-03 actions.items.retrieve_kind: Getting something from a belt
DEF-FRE-04 actions.items.COMMAND_ITEM: Items of a word or a thought
DEF-FRE-05 actions.weapons.exchange: Drawing and sheathing while moving
DEF-FRE-06 actions.free.knowledge_check: Asking for its own knowledge
DEF-FRE-07 costs.refusals: Free actions need nothing else
DEF-SWI-01 costs.spend: One swift action, in the own turn
DEF-SWI-02 costs.not_swift: Only what says swift
DEF-SWI-03 actions.items.drink_kind: A potion belt makes drinking swift. The move may pay instead
DEF-SWI-04 powers.provoke: No swift action provokes
DEF-FUL-01 costs.spend: A full-round action takes the whole turn
DEF-FUL-02 costs.refusals: After it neither move nor standard
DEF-FUL-03 costs.refusals: Nor a swift action, a charge aside
DEF-FUL-04 costs.refusals: Free and immediate actions stay
DEF-IMM-01 immediates.refusals: At any point of a round, by who can act
DEF-IMM-02 immediates.refusals: One in the own round
DEF-IMM-03 immediates.Category: Three categories
DEF-IMM-04 immediates.refusals: Another one closes opportunities and counterspells
DEF-IMM-05 immediates.refusals: An opportunity closes the others
DEF-IMM-06 immediates.refusals: A counterspell closes the others
DEF-IMM-07 immediates.use: The attempt counts. Passing, holding and losing do not
DEF-IMM-08 immediates.most: The first one fixes the category
DEF-IMM-09 immediates.use: Until the next own turn, whenever it was used
DEF-IMM-10 opportunity.provoked: Only those that can react are asked, one after the other, by
  initiative
DEF-IMM-11 powers.provoke: An immediate action provokes nothing. A held action provokes as usual
DEF-AOO-01 movement.left: A hostile combatant leaves a threatened square. If it was pushed out
  meanwhile, it leaves nothing
DEF-AOO-02 opportunity.provoked: An action that provokes
DEF-AOO-03 immediates.most: 1 + Battle Prowess in the own round
DEF-AOO-04 movement.left: One for each action and reactor, asked at each square
DEF-AOO-05 opportunity.refusals: One attack or shield bash at the highest bonus
DEF-AOO-06 movement.step: Before the step or the action takes effect
DEF-AOO-07 opportunity.refusals: Acts that give no opportunity
DEF-AOO-08 immediates.most: Battle Prowess opens nothing else
DEF-AOO-09 opportunity.who_threatens: Voluntary. Without places, the GM names those who threaten
DEF-CNT-01 counterspells.reasons: Only with an entry that grants it and matches
DEF-CNT-02 counterspells.reasons: While a spell is being cast. A counterspell cannot be countered
DEF-CNT-03 counterspells.rolled: By the entry's check, else by ruling
DEF-CNT-04 powers.countered: Countered: no effect, the action is spent
DEF-CNT-05 counterspells.attempt: The attempt is the use
DEF-CNT-06 powers.cast: A caster brought down has lost the spell
DEF-HLD-01 actions.hold.hold_action: Hold the move or the standard, spent at once
DEF-HLD-02 actions.hold.clear: An action and a clear trigger
DEF-HLD-03 actions.hold.holdable: Only what the slot can pay
DEF-HLD-04 actions.hold.slot_refusals: An unspent slot, one hold at a time
DEF-HLD-05 triggers.occurred: When it occurs, resolve or keep. Two holders go by initiative,
  highest first
DEF-HLD-06 triggers.offer: Right after the event, before what follows
DEF-HLD-07 triggers.refusals: It is the immediate action of the round
DEF-HLD-08 triggers.move_after: The place moves behind the triggering creature, or whose turn it
  is
DEF-HLD-09 triggers.move_after: No second turn in that round
DEF-HLD-10 turns.turn_start: Lost at the next own turn, and when unable to act
DEF-HLD-11 triggers.possible: If impossible at its moment, it is lost, and nothing is used
DEF-ATK-01 numbers.attack_terms: d20 + base attack + ability + other modifiers
DEF-ATK-02 strike.attack_rolls: At least the AC hits
DEF-ATK-03 strike.armor_class: Flat-footed AC where it is flat-footed
DEF-ATK-04 strike.attack_rolls: The face alone decides nothing
DEF-ATK-05 actions.attack.perform: A melee attack provokes nothing and has no size
DEF-ATK-06 actions.attack.requirements: Limits of attacks. Allies may be attacked
DEF-RNG-01 numbers.attack_terms: Shots by Dexterity and size
DEF-RNG-02 actions.ranged_attack.RANGED_ATTACK: Shooting in a threatened square provokes
DEF-RNG-03 actions.ranged_attack.requirements: Through allies without a penalty, through others as
  well
DEF-RNG-04 shots.gone_astray: Half of the shots into a grapple go astray
DEF-RNG-05 shots.gone_astray: At either grappler, from outside, touches too
DEF-RNG-06 shots.out_of_range: A flat range
DEF-SHB-01 actions.shield_bash.SHIELD_BASH: A shield bash in place of any attack
DEF-SHB-02 numbers.bash_terms: By the higher of Strength and Dexterity
DEF-SHB-03 numbers.bash_damage_terms: 1d4, 1d6 or 1d10 and Strength
DEF-SHB-04 actions.shield_bash.requirements: With a shield in a slot. Its AC stays
DEF-MUL-01 numbers.attack_bonuses: More than +5 gives further attacks, at most four
DEF-MUL-02 deeds.deed: Used in falling order
DEF-MUL-03 deeds.deed: Manoeuvres in an attack's place have its bonus
DEF-MUL-04 deeds.deed: All others have the highest
DEF-MUL-05 numbers.dexterity_terms: Opposed Strength and Dexterity have none
DEF-DMG-01 numbers.damage_terms: Dice, Strength, flat modifiers
DEF-DMG-02 numbers.ability_damage: Two hands: 1.5 times, rounded down
DEF-DMG-03 numbers.ability_damage: Negative ones too
DEF-DMG-04 numbers.ability_damage: Another ability, or none, by the weapon
DEF-DMG-05 strike.extras: Extra damage is rolled by itself, in the same hit
DEF-DMG-06 strike.wound: At least 1 before reductions, without the extra dice
DEF-DMG-07 harm.deal: To HP, or to NLD where the data say so
DEF-DMG-08 harm.reduced: Reductions by type, once a hit, part by part
DEF-CRT-01 strike.attack_rolls: A threat needs the face and a hit
DEF-CRT-02 strike.attack_rolls: Confirmed with the same modifiers
DEF-CRT-03 strike.attack_rolls: The face of the confirmation means nothing. It comes before the
  damage
DEF-CRT-04 strike.multiplied: The dice as often as the multiplier
DEF-CRT-05 strike.weapon_damage: Flat numbers once for each
DEF-CRT-06 strike.extras: Extra dice once
DEF-CRT-07 strike.weapon_damage: 2d8+8 becomes 2d8+12 with a training bonus
DEF-CRT-08 powers.rolled_damage: Spells with an attack roll can be critical
DEF-CRT-09 manoeuvre.touch: Others and manoeuvres never
DEF-REK-01 numbers.postures: Reckless: AC −4 dodge, damage +2
DEF-DEF-01 numbers.stance_attack: Defensive: attack −4, AC +2
DEF-STN-01 costs.stance_refusals: Chosen with the first attack for all of the turn
DEF-STN-02 costs.take_stance: Attack and damage in the own turn, AC to the next
DEF-STN-03 costs.stance_refusals: Not with what is no attack action
DEF-TCH-01 powers.attacked: A melee touch hits at the touch AC
DEF-TCH-02 numbers.armor_terms: No armor, shield, parry, natural armor
DEF-TCH-03 numbers.touch_terms: By the higher of Strength and Dexterity
DEF-TCH-04 powers.provoke: A melee touch spell does not provoke
DEF-TCH-05 manoeuvre.attempt: A manoeuvre's touch does
DEF-TCH-06 numbers.touch_terms: Weapon Fixation (Unarmed) helps melee touches
DEF-TCH-07 actions.cast.touch: As an attack action, by the entry
DEF-RTC-01 numbers.touch_terms: A ranged touch is a shot at the touch AC
DEF-RTC-02 powers.provoke: It provokes, once for casting and shot
DEF-RTC-03 powers.provoke: As an attack action too
DEF-CST-01 actions.cast.cast_spell: The spell is called out, then threatening foes react
DEF-CST-02 powers.cast: The order of a casting. A released spell goes on
DEF-CST-03 powers.share: Each target saves for itself
DEF-CST-04 powers.cast: Damage does not disturb it
DEF-CST-05 powers.by_the_gm: A miss has no effect. Without data, the GM rules
DEF-CST-06 powers.run: Abilities: without counterspell and failure
DEF-CST-07 powers.KINDS: A standard spell takes the standard
DEF-CHG-01 actions.charge.CHARGE: A charge is a full-round action
DEF-CHG-02 actions.charge.line_refusals: 10 ft at least, twice the movement at most
DEF-CHG-03 board.line: A straight line nearer to a foe
DEF-CHG-04 actions.charge.line_refusals: Nobody and nothing on it
DEF-CHG-05 actions.charge.charge: It provokes like all movement. A tripped charger strikes those
  in its reach
DEF-CHG-06 costs.threatened_foes: Its attacks, at a foe that it threatens
DEF-CHG-07 numbers.fighting: Damage +2 or +4, AC −2
DEF-CHG-08 costs.in_charge: One swift action of three
DEF-CHG-09 actions.items.drink_kind: They provoke nothing and need no belt
DEF-CHG-10 actions.charge.requirements: Not prone, grappled, swallowed
DEF-DIS-01 actions.disarm.requirements: A free hand or a disarming weapon
DEF-DIS-02 actions.disarm.requirements: The target holds a weapon
DEF-DIS-03 actions.disarm.disarm: Touch, opportunity, opposed Dexterity
DEF-DIS-04 opposed_rolls.dexterity: Dexterity and size, −4 after a blow
DEF-DIS-05 actions.disarm.dropped: The weapon lies beside the defender
DEF-DIS-06 actions.disarm.landing: Where: the aggressor's choice, or the nearest free square
DEF-DIS-07 actions.disarm.disarm: No counter-disarm
DEF-DIS-08 actions.items.retrieve_requirements: Picking up from an adjacent square
DEF-MAN-01 manoeuvre.attempt: Touch, opportunity, opposed roll, result
DEF-MAN-02 manoeuvre.attempt: The attempt provokes, missed or not
DEF-MAN-03 manoeuvre.of_defender: Only the defender, if it threatens the aggressor
DEF-MAN-04 manoeuvre.attempt: −4 after damage, except in shove and trample
DEF-MAN-05 turns.act: An aggressor that cannot go on is stopped
DEF-MAN-06 manoeuvre.touch: Against the touch AC, never critical
DEF-MAN-07 opposed_rolls.grapple_defense: Escape Artist for the defender, where it helps
DEF-MAN-08 opposed_rolls.throws: Ties with the same choices
DEF-MAN-09 manoeuvre.weapon_reach: Reach of body or weapon
DEF-MAN-10 opposed_rolls.contest: A combatant that cannot resist loses without a roll
DEF-FEI-01 actions.feigned_strike.requirements: A feigned strike at a foe in reach
DEF-FEI-02 actions.feigned_strike.defense: Beguile against a level check or Discern Intent
DEF-FEI-03 actions.feigned_strike.feigned_strike: Flat-footed to the end of the round
DEF-FDF-01 actions.posture.full_defense: Full defence: +4 dodge to the next turn
DEF-FDF-02 numbers.postures: Against touches too, lost while flat-footed
DEF-FDF-03 opportunity.refusals: No opportunities meanwhile
DEF-GRP-01 actions.grapple.requirements: Neither in a grapple nor swallowed
DEF-GRP-02 manoeuvre.touch: A touch attack first
DEF-GRP-03 manoeuvre.attempt: The defender's opportunity, −4 after damage
DEF-GRP-04 numbers.grapple_terms: Opposed grapple
DEF-GRP-05 actions.grapple.grapple: Grappled and grappling, nobody moves
DEF-GRP-06 consequences.broken: It lasts until one of both cannot
DEF-GRP-07 board.threatening: Neither threatens
DEF-GRP-08 states.flat_footed: Flat-footed to all others
DEF-GRP-09 manoeuvre.walks: Neither walks nor is shoved apart
DEF-GRP-10 actions.attack.fits_grapple: Plain attacks with few weapons
DEF-GRP-11 escape.tried: One escape at the own turn-start
DEF-GRP-12 escape.tried: During a submission it breaks only that
DEF-GRP-13 actions.grapple.release: Letting go is free
DEF-GRP-14 actions.grapple_options.won: The aggressor's options, one opposed grapple each
DEF-GRP-15 actions.grapple.engaged: One grapple at a time
DEF-GRB-01 actions.grapple_options.grapple_break: Break: an injury, no damage
DEF-GRE-01 actions.grapple_options.grapple_expose: Expose: helpless towards the aggressor's allies
DEF-GRM-01 actions.grapple_options.grapple_move: Move: both, half the aggressor's movement
DEF-GRS-01 actions.grapple_options.submission: Submission: three turns in a row
DEF-GRS-02 actions.grapple_options.submission: At three its maximum HP in NLD
DEF-GRS-03 actions.grapple_options.submission: Won by the defender: broken, still held
DEF-GPN-01 actions.grapple_options.pin: Pin: neither attacks nor moves
DEF-GPN-02 consequences.grapples_hold: As long as the grapple
DEF-KSH-01 actions.kill_shot.kill_shot: A kill shot at the helpless, by ruling
DEF-GSP-01 powers.components: The grappled do not gesture
DEF-GSP-02 powers.components: Without gestures they cast
DEF-GSP-03 powers.components: Words are still needed
DEF-SHT-01 actions.shatter.requirements: Shatter a weapon, a shield, armor
DEF-SHT-02 numbers.postures: The attempt costs 4 AC, once
DEF-SHT-03 actions.shatter.resisting: Opposed attacks
DEF-SHT-04 actions.shatter.damaged: The item takes the damage
DEF-SHT-05 actions.shatter.shatter: Won by the defender: nothing
DEF-SHV-01 actions.shove.shove: Shove: touch, opportunity, opposed Strength
DEF-SHV-02 actions.shove.most: 5 ft more for every 5 of the margin
DEF-SHV-03 actions.shove.distance: The aggressor chooses how far
DEF-SHV-04 actions.shove.way: Straight away, up to what is in the way
DEF-SHV-05 actions.shove.pushed: Neither damage nor prone
DEF-SWL-01 actions.swallow.swallow_whole: Swallow whole: no touch, no opportunity
DEF-SWL-02 actions.swallow.requirements: Three sizes smaller, or the feat, and not from inside
DEF-SWL-03 actions.swallow.swallow_whole: One opposed grapple
DEF-SWL-04 consequences.swallowing_holds: Inside, it can do little. Without the swallower, it
  stands beside its place
DEF-SWL-05 actions.swallow.cut_out: Out at a fifth of its health
DEF-SWL-06 consequences.swallowing_holds: Unconscious after three rounds. Healing gives no air
DEF-SWL-07 consequences.swallowing_holds: Dead after two minutes more
DEF-SWL-08 actions.swallow.retrieve: Retrieved by an ally, itself, the GM
DEF-TRM-01 actions.trample.requirements: Trample through enemies, twice the movement
DEF-TRM-02 actions.trample.run_down: At each: touch, opportunity, opposed Strength
DEF-TRM-03 actions.trample.crushed: Prone, unarmed damage and twice Strength
DEF-TRM-04 actions.trample.trample: Failed: it stops before
DEF-TRM-05 arms.natural: With a natural weapon. Each target is asked once
DEF-TRP-01 actions.trip.trip: Trip: a touch attack with the bonus of its place
DEF-TRP-02 manoeuvre.of_defender: The defender's opportunity from where it threatens
DEF-TRP-03 actions.trip.trip: Opposed Strength, prone
""",
)
