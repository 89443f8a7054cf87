"""The index: every rule of the rulebook, the code that implements it, and a line of our own."""

from domain.rulebook.index import index

RULES = index(
    "domain.rulesets.free_hit",
    """
FH-SEQ-01 paying.off_turn: Before the battle nobody has a turn: joining, rulings and initiate only
FH-SEQ-02 flow.turn: In a round every unit takes one turn, in lineup order
FH-SEQ-03 numbers.fresh_budget: A turn offers 1 AA, 1 MA and 2 BA
FH-SEQ-04 flow.round_end: After the last turn the round ends and the next begins
FH-SEQ-05 paying.off_turn: Only the unit on turn spends actions
FH-SEQ-06 states.in_fight: A unit that is defeated, dead, fled, yielded or gone is out, but keeps
  its place
FH-SEQ-07 states.over: The battle ends when at most one team has a unit in the fight
FH-SEQ-08 flow.battle_end: The victors get their MP back, nobody else
FH-SEQ-09 actions.free.leave: Giving up and fleeing cost nothing. The GM confirms
FH-DUR-01 flow.round_end: 'For the round' ends with the present round
FH-DUR-02 flow.battle_end: 'For the battle' ends with the battle
FH-DUR-03 ends.lasts: A wound lasts until it is eliminated
FH-INI-01 flow.line_up: One lineup of all units, highest Agility first
FH-INI-02 flow.line_up: Nothing is rolled for it
FH-INI-03 flow.break_ties: Equal Agility: order of joining, or by option a d20
FH-INI-04 flow.round_end: The lineup stays for the whole battle
FH-INI-05 actions.attacking.initiate: A unit that strikes before the battle stands last, all
  battle long
FH-INI-06 actions.attacking.initiate_refusals: The opening attack: opening only, resolved in full,
  free
FH-INI-07 states.this_round: The opening counts as part of round 1
FH-INI-08 paying.off_turn: No boosts, moves or spells in the opening
FH-INI-09 actions.delaying.delay: Delay: act right after a unit still to come, this round only
FH-INI-10 actions.delaying.delay_refusals: No delay after an action, or behind nobody
FH-INI-11 states.is_waiting: Turn-start happens at the own place. The budget waits
FH-INI-12 summoning.take_place: A newcomer gets the place of its Agility, before all initiators
FH-TRN-01 flow.turn_start: The budget at turn-start, less wounds and what is owed
FH-TRN-02 flow.turn: Any order. The rest is lost at the end
FH-TRN-03 states.can_act: A disabled unit has no budget, and its turn passes
FH-TRN-04 actions.ACTIONS: The uses of an AA
FH-TRN-05 actions.ACTIONS: The uses of an MA
FH-TRN-06 actions.ACTIONS: The uses of a BA
FH-TRN-07 paying.lacking: A kind that cannot pay, or is used up, is refused
FH-ACT-01 actions.handling.pick_up: Pick up from the own or an adjacent space: any action
FH-ACT-02 actions.handling.handle: Draw or sheathe one weapon: any action each
FH-ACT-03 actions.talk.talk: Talking takes an action, on the own turn
FH-ACT-04 actions.casting.toggle: Switch a cast spell off or on: 1 BA
FH-ACT-05 actions.attacking.extra_refusals: Additional attack: 1 MA and 2 BA, all unspent
FH-ACT-06 actions.attacking.extra_attack: It is made without feats and without Strength
FH-ACT-07 actions.attacking.extra_attack: It needs no AA attack and uses no slot
FH-BST-01 actions.boosting.BOOST_DAMAGE: +1 melee damage until the end of the round
FH-BST-02 actions.boosting.BOOST_HIT: +1 to hit until the end of the round
FH-BST-03 actions.boosting.BOOST_DODGE: +1 to the own target number
FH-BST-04 actions.boosting.boosting: Bought twice gives +2
FH-BST-05 flow.turn_start: A dodge boost ends at the own next turn
FH-BST-06 numbers.target_number: A dodge boost counts for nothing while flat-footed or prone
FH-BST-07 strike.attack_terms: Boosts count in free hits later in the round
FH-MOV-01 actions.moving.move: An MA moves up to the speed, one path
FH-MOV-02 numbers.movement: Sneaking, swimming, climbing, tumbling, full load, hampered: half,
  once
FH-MOV-03 numbers.movement: Prone moves a third
FH-MOV-04 numbers.movement: Flat changes first, then ½, then ⅓, rounded down once
FH-MOV-05 actions.moving.bonus_move: A bonus move is 2 spaces for 1 BA
FH-MOV-06 actions.moving.refusals: A path that is too long is refused whole
FH-MOV-07 actions.moving.blocked: Through allies, not through enemies, not onto anybody
FH-MOV-08 actions.moving.walk: Free hits interrupt step by step. The allowance is computed again
FH-MOV-09 numbers.apart: Distance: the largest difference between nearest squares
FH-ATK-01 actions.attacking.attack: One AA is one attack with one weapon on one target
FH-ATK-02 strike.verdict: d20 + Accuracy against 10 + Agility. Equal hits
FH-ATK-03 strike.verdict: A lower total misses
FH-ATK-04 strike.attack_terms: All bonuses to the total are added
FH-ATK-05 numbers.target_number: The target number in full
FH-ATK-06 numbers.target_number: Armour, cover and distance change neither
FH-ATK-07 strike.refusals: Melee inside the zone or the reach, ranged within the range
FH-ATK-08 strike.refusals: The weapon must be drawn
FH-ATK-09 strike.verdict: 1 misses, 20 hits, whatever the total
FH-ATK-10 attack.free_hits: Shooting, casting, standing up, handling things provoke nothing
FH-DMG-01 strike.damage: The weapon or spell gives the damage of a hit
FH-DMG-02 strike.damage: Dice, Strength, boosts, modifiers, sneak dice, at least 0
FH-DMG-03 strike.damage: Criticals multiply the whole sum
FH-DMG-04 harm.reduced: Amounts are subtracted, then percentages. The rest is net
FH-DMG-05 harm.hurt: Net 6 or more makes a wound. A fatal aim may add 16
FH-DMG-06 harm.hurt: HP stop at 0. At 0 the unit is defeated
FH-DMG-07 attack._attack: The order of the dice, without superfluous ones
FH-AIM-01 strike.refusals: Every physical attack may be aimed, without a penalty
FH-AIM-02 numbers.AIMS: Aims and the body parts that stand for them
FH-AIM-03 harm.hurt: Fatal: with a wound, 1 in 4 for 16 more
FH-AIM-04 numbers.agility: Slowing: movement −2, Agility −1
FH-AIM-05 harm.wounded: Weakening: Strength −1, one BA less
FH-AIM-06 numbers.accuracy_terms: Disrupting: Accuracy −1 for the battle and −3 for the round
FH-AIM-07 numbers.accuracy_terms: Both count in the present round
FH-AIM-08 flow.battle_end: The −3 ends with the round, the −1 with the battle
FH-AIM-09 strike.attack_terms: Center Mass: +1 to this total, never a wound effect
FH-AIM-10 harm.hurt: Without a wound an aim has no effect
FH-WND-01 harm.hurt: A wound: 6 or more net damage of one attack
FH-WND-02 harm.wounded: Wounds with an effect are kept one by one and add up
FH-WND-03 harm.heal: 6 or more from one healing eliminate a wound
FH-WND-04 harm.heal: So does a spell that says so
FH-WND-05 harm.heal_wound: One wound per instance, the owner chooses
FH-WND-06 harm.heal_wound: The loss comes back at once, a BA next turn
FH-CRT-01 attack._attack: A natural 20 is a critical hit
FH-CRT-02 escalation.escalate: Then d4, on 4 d6, and so on while the maximum shows
FH-CRT-03 strike.damage: Critical: damage times 2
FH-CRT-04 strike.damage: Super critical: damage times 4
FH-CRT-05 harm.decisive: d6 shows 6: defeated at once
FH-CRT-06 escalation.escalate: A die below its maximum ends the chain
FH-CRT-07 rulings.check: Other d20 rolls: the GM rules the benefit
FH-FUM-01 attack._attack: A natural 1 is an auto-fail
FH-FUM-02 escalation.escalate: Then d4, on 4 d6, and so on
FH-FUM-03 attack._attack: The attack misses. The dice fall before anybody strikes back
FH-FUM-04 attack.after_natural_one: The attacked enemy may make a free hit
FH-FUM-05 attack.inside_zone: Only on an attacker inside its zone
FH-FUM-06 attack.tragedy: Tragedy: a free critical hit, even without a slot
FH-FUM-07 attack.tragedy: It hits without a roll, times 2. Otherwise the GM rules
FH-FUM-08 attack.dire: d6 shows 6: the attacker is killed
FH-FUM-09 rulings.check: Other d20 rolls: the GM rules the consequences
FH-FUM-10 attack.free_hit: Free hits and additional attacks follow all these rules
FH-ESC-01 rulings.check: A check: d20 + modifier, and its escalation in tiers
FH-ZON-01 attack.in_zone: The zone: all squares adjacent
FH-ZON-02 numbers.zone_size: With Reach: within 2 spaces
FH-ZON-03 numbers.zone_size: A weapon's reach does not enlarge it
FH-FRE-01 attack.free_hit: A free hit costs no action and is an attack otherwise
FH-FRE-02 attack.free_hits: Its triggers: leaving, circling, a natural 1, a feat
FH-FRE-03 numbers.free_hit_slots: Agility + 1 slots a round. Only a free hit that is made uses one
FH-FRE-04 flow.round_end: The count goes back to 0 at the start of a round
FH-FRE-05 numbers.free_hit_slots: Slots follow the Agility of the moment
FH-FRE-06 actions.moving.leaving: Leaving is asked before the step, circling after the third
FH-FRE-07 actions.moving.circling: Only steps from inside to inside count, over the whole turn
FH-FRE-08 attack.free_hits: One free hit per trigger and enemy. They strike in lineup order
FH-FRE-09 attack.may_strike: Units without a free hit
FH-FRE-10 attack.may_strike: Prone, flat-footed and channeling units do make free hits
FH-FRE-11 attack.free_hits: Being pushed or carried is not moving
FH-FRE-12 attack.offer: A chance, not a duty: default pass, the critical one take
FH-FRE-13 actions.attacking.feat_refusals: A feat's extra attack: one slot, and its cool-down
FH-DSG-01 actions.disengage.disengage_refusals: Disengage: 1 AA or 2 BA
FH-DSG-02 actions.moving.leaving: It leaves all zones without free hits for the round
FH-DSG-03 actions.moving.circling: Circling still provokes
FH-DSG-04 spells.completed: Spells can grant it
FH-FLT-01 numbers.target_number: Flat-footed: target number 5, no dodging
FH-FLT-02 numbers.is_flat_footed: Flat-footed units
FH-FLT-03 states.can_act: It is not by itself unable to act
FH-FLT-04 numbers.target_number: Flat-footed and prone: 5
FH-PRN-01 numbers.target_number: A unit that lies down is prone
FH-PRN-02 numbers.target_number: Prone: 5 + Agility, no dodging
FH-PRN-03 numbers.movement: It moves a third and attacks without penalty
FH-PRN-04 actions.stand_up.stand_up: Standing up: any one action
FH-PRN-05 actions.stand_up.stand_up: Out of turn it is owed by the next turn
FH-PRN-06 actions.stand_up.left_next_turn: Only what the next turn has can be pledged
FH-PRN-07 actions.stand_up.stand_up_refusals: Not while an attack on the unit is resolved
FH-DSM-01 rulings.place_item: A disarmed item lies on the ground
FH-DSM-02 actions.handling.pick_up: It is picked up, a weapon into the hand
FH-DSM-03 strike.refusals: Without it no attack with it
FH-SPL-01 actions.casting.cast: A cast time is paid by kind of action
FH-SPL-02 actions.casting.cast: Casting pays all it can now, and goes on in later turns
FH-SPL-03 spells.completed: MP are paid when the spell is cast, or it fizzles
FH-SPL-04 actions.casting.note_cost: Notes: improvements for BA, in the last declaration
FH-SPL-05 spells.takes_effect: Attack spells roll like attacks, others take effect
FH-SPL-06 actions.casting.toggle: Toggling a cast spell
FH-CHN-01 spells.channeling: Channeling: casting over several turns, or an upkeep
FH-CHN-02 spells.channeling: The caster is flat-footed until it ends
FH-CHN-03 actions.casting.cast: Paid at once and without upkeep is not channeled
FH-CHN-04 actions.casting.cancel: Cancelling is free. Being out of the fight ends it
FH-CHN-05 spells.upkeep: Upkeep at the start of each later turn: pay or let go
FH-CHN-06 numbers.is_flat_footed: Battle Caster dodges while channeling
FH-SMN-01 numbers.slots_for_summons: As many summoned units as the level
FH-SMN-02 summoning.slot_refusals: More are refused. One can be released
FH-SMN-03 summoning.summon: A unit of its own, on a free space nearby
FH-SMN-04 summoning.summoner_of: It stays when its summoner falls
FH-THR-01 flow.battle_start: Summoned before: retained or gone when the battle begins
FH-THR-02 flow.battle_end: Summoned in battle: retained or gone when it ends
FH-THR-03 summoning.is_thralled: A retained unit is not asked about again
FH-THR-04 summoning.thrall_cost: The thrall cost: 6 times the level
FH-THR-05 summoning.retain: It is held back from the summoner's maximum
FH-SCK-01 summoning.sicken: Summoning sickness: no actions, no dodging
FH-SCK-02 consequences.recovered: It ends when the summoner's next place comes up
FH-FLK-01 strike.attack_terms: From behind: +1
FH-FLK-02 attack.from_behind: Behind is 135° or more off the facing. Without a facing the GM rules
FH-SNK-01 strike.damage: Undetected: the target is flat-footed, and 1d4 more
FH-SNK-02 strike.damage: Criticals multiply sneak damage
FH-SNK-03 attack.give_away: On a hit only. The attack reveals the unit
FH-SNK-04 actions.moving.noticed: The GM decides which units notice a sneaking unit
FH-FT-01 numbers.modified: Feats change the rules for their owner
FH-FT-02 strike.damage: Sneak Attack: one more d4
FH-FT-03 numbers.slots_for_summons: Legion Leader: 2 more slots
FH-FT-04 numbers.is_flat_footed: Battle Caster: dodges while channeling
FH-FT-05 numbers.movement: Maneuverer: sneaking, swimming, tumbling at full speed
FH-FT-06 numbers.zone_size: Reach: a zone of 2
FH-FT-07 strike.damage: Weapon Focus: one damage die more
FH-FT-08 numbers.movement: Athlete: 2 more spaces
""",
)
