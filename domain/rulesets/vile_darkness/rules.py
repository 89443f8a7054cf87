"""The index: every rule of the rulebook, in a line of our own, and the code that implements it."""

from domain.rulebook.index import index

RULES = index(
    "domain.rulesets.vile_darkness",
    """
VD-TIME-01 sheet.SEGMENTS: A round is 60 seconds, ten segments of six seconds
VD-TIME-02 sheet.segments_of: Times are given in rounds or segments. A round is ten segments both
  ways
VD-TIME-03 deed.paid: An action beyond ten segments is completed in the next round. Ten fit
VD-TIME-04 sheet.segments_of: An action with no time noted takes 1 segment
VD-TIME-05 action_costs.take_time: An asterisk means no time and adds nothing
VD-TIME-06 actions.abilities.immediate: Immediate actions take no time, at any moment
VD-TIME-07 work.started: A complex activity takes the whole round
VD-TIME-08 sheet.segments_of: A time of 1 round is ten segments and completes at segment 10
VD-SEQ-01 flow.begin: Before the first round the GM says who is surprised
VD-SEQ-02 flow.begin: The GM fixes every position. Nobody moves by itself
VD-SEQ-03 slots.ORDER: The GM announces the round. Its eight steps run one after the other
VD-SEQ-04 round_end.confirmed: After step 8 the next round repeats all steps, but neither surprise
  nor positions
VD-SEQ-05 slot.fast: Step 3: those with fast actions and Go First act
VD-SEQ-06 flow.step_4: Step 4: multi-attackers in melee act
VD-SEQ-07 slot.deeds_of: Step 5: all HIGH act until done, then all LOW
VD-SEQ-08 slot.routines_lapse: Step 6: remaining routines of the multi-attack
VD-SEQ-09 slot.spells_of: Step 7: incantations, and invocations of more than 1 segment
VD-SEQ-10 round_end.end_of_round: Step 8: end of round
VD-DECL-01 declarations.begin: In step 1 anybody may declare, and take it back. At its end all
  declarations begin
VD-DECL-02 action_costs.off_turn: Fast actions, complex activities, spells and what the data say
  must be declared
VD-DECL-03 declarations.DECLARABLE: Other actions need no declaration. An optional one does not bind
VD-DECL-04 declarations.action_refusals: Declarations are accepted in step 1 only
VD-DECL-05 spells.begin: The target of a spell need not be named then
VD-DECL-06 declarations.delay_refusals: A delay may be declared, alone or with what resolves in step
  5 or later
VD-DECL-07 declarations.begin: Several activities may be listed, and the GM may rule at once
VD-DECL-08 declarations.action_refusals: At most one major action is declared, none while one of an
  earlier round runs
VD-INIT-01 flow.initiative: Each group rolls 1d6 once a round, in the order of joining
VD-INIT-02 flow.ranked: The group with the highest die is HIGH and acts first in step 5
VD-INIT-03 flow.ranked: The group with the lower die is LOW
VD-INIT-04 flow.ranked: Equal highest dice: all those groups are HIGH, without a second roll
VD-INIT-05 slots.phase_of: Opponents of one rank: the type of action decides
VD-INIT-06 actions.attack.time: The same type: the lower time component goes first, added segments
  included
VD-INIT-07 resolution.do_together: Still equal is simultaneous: all roll, then all results
VD-INIT-08 slots.missile_rank: A Dexterity reaction adjustment may change an individual's missiles
VD-INIT-09 flow.ranked: With more groups the highest are HIGH, all others LOW
VD-INIT-10 slots.rank: A delay or a delaying activity makes an individual LOW
VD-INIT-11 slot.one_of_them: Members of one group act in any order in a slot
VD-FAST-01 slots.LETTERS: A parley before B flee before C charge, whatever the ranks
VD-FAST-02 slots.LETTERS: Go First comes before A
VD-FAST-03 slot.fast: In a letter HIGH before LOW. Equal ranks are simultaneous
VD-FAST-04 slots.own_rank: Being delayed does not change fast actions
VD-FAST-05 actions.fast.still_may: A fast action is the major action
VD-FAST-06 actions.fast.flights: Fleeing from melee draws a free attack of each opponent in melee
  with the fleer
VD-FAST-07 actions.fast.charges: A charge moves to its target and attacks in the same slot
VD-FAST-08 actions.fast.PARLEY: A parley has no dice. The GM rules on the answer
VD-MULTI-01 flow.step_4: A multi-attacker in melee when step 4 begins takes its primary routine
  there
VD-MULTI-02 actions.attack.what_is_left: Its other routines come in step 6, in list order
VD-MULTI-03 members.asked_in: Not in melee: no turn in step 4, the first routine in step 5
VD-MULTI-04 resolution.carry_out: Order in steps 4 and 6: HIGH, LOW, ties as in step 5
VD-MULTI-05 targets.single: Each routine has one target. Different routines may have different
  ones
VD-MULTI-06 routines.has_multi_attack: Without multi-attack there is one routine a round
VD-MULTI-07 routines.the_rest: Step 4 may be declined. Only an attack in step 5 leaves routines
VD-GRP-01 slots.ORDER: All of HIGH's D1 to D4 finish before LOW's D1
VD-GRP-02 action_costs.in_d1: Innate abilities are used in D1 of the own rank, never later
VD-GRP-03 spells.aims_in: D1 is also when targets of declared spells are announced
VD-GRP-04 slots.phase_of: D2 missile attacks
VD-GRP-05 slots.phase_of: D3 melee attacks
VD-GRP-06 question.OPTIONS_OF: D4 everything else: activities on their own, movement
VD-GRP-07 actions.activity.took_major_here: A simple activity goes with the major action, before
  or after it. Alone it is D4
VD-GRP-08 action_costs.placed: In another rank: not your initiative. In the wrong slot of the own
  rank: wrong phase
VD-E-01 slot.spells_of: Step 7 resolves incantations, and invocations of more than 1 segment
VD-E-02 slots.ORDER: Lower completion segment first, then HIGH before LOW, then simultaneous
VD-E-03 slots.completion: Completion segment is casting time and added segments, from segment 1
VD-E-04 slot.spells_of: A spell can break the concentration of a later one
VD-E-05 spells.is_quick: An invocation of 1 segment resolves in D1
VD-E-06 members.of_rank: A delayed caster counts as LOW and loses no ties by it
VD-END-01 round_end.end_of_round: The GM runs the end of the round
VD-END-02 action_costs.new_budget: Effects for the rest of the round end there. Limits and counts
  start again
VD-MAJ-01 action_costs.free_major: One major action a round. A committed one bars others
VD-MAJ-02 action_costs.MAJOR: An attack, a shot, a spell, movement are major
VD-MAJ-03 work.started: A major action that fills the round is a complex activity
VD-MAJ-04 action_costs.use_major: Spoiled, foiled or wasted it still counts as used
VD-MIN-01 action_costs.placed: Any number of minor actions, in the own rank, on the spot
VD-MIN-02 options.default_activities: Drawing, speaking, dropping are minor
VD-MIN-03 activities.activity: A minor action without magic is a simple activity
VD-MIN-04 action_costs.placed: A minor action outside the own rank is refused
VD-MIN-05 action_costs.take_time: Each segment of minor actions adds one to the major action,
  whenever it is taken
VD-MIN-06 actions.movement.POSITION: Positioning: at most 10 ft, after the major action, in no
  melee
VD-MIN-07 commitments.several: Two minor actions in one slot: the GM may assign a delay
VD-MIN-08 sheet.segments_of: Minor with no time noted takes 1 segment
VD-IMM-01 actions.abilities.IMMEDIATE: Immediate actions need no declaration, at any moment of the
  round
VD-IMM-02 actions.abilities.immediate: They leave the user's other actions alone
VD-IMM-03 actions.abilities.IMMEDIATE: They answer triggers, and may be used alone where the data
  say immediate
VD-CONC-01 concentration.break_all: Concentration is needed to start something or to maintain it.
  Both break alike
VD-CONC-02 consequences.hindered: Damage, a failed save, impeded movement or action break it
  without a roll
VD-CONC-03 consequences.hindered: Actual damage, any failed save, a condition flagged as impeding
VD-CONC-04 concentration.held_no_longer: Losing it ends the effect and every condition that it has
  given
VD-CONC-05 places.too_much_to_maintain: Maintaining allows half the walking rate, or a native
  flight or swim in full
VD-CONC-06 numbers.save_terms: Maintaining carries no penalty
VD-CONC-07 concentration.maintain: Another concentration ends the maintenance that runs
VD-CONC-08 concentration.spell_lost: An incantation whose concentration breaks is used up as if
  cast
VD-CONC-09 attack.strike: A free attack breaks the attacker's own concentration. Any attack ends
  maintenance
VD-CONC-10 actions.movement.go: Being jostled by an ally breaks it
VD-DELAY-01 actions.delay.DELAY: A delay is announced at any moment of step 5, and only there
VD-DELAY-02 slots.rank: Announced while HIGH: no actions until LOW
VD-DELAY-03 actions.delay.delayed: A combatant that announces it is delayed until the round ends
VD-DELAY-04 action_costs.placed: Then minor actions only in LOW. Immediate ones are always possible
VD-DELAY-05 actions.delay.major_lost: Announced while LOW, it loses the major action. One
  announcement a round
VD-DELAY-06 declarations.begin: Declared in step 1: LOW whatever the die, and not delayed
VD-DELAY-07 commitments.queue: A delaying activity is done in LOW only and moves its doer there
VD-DELAY-08 slots.is_late: Delayed is always LOW
VD-DELAY-09 resolution.carry_out: Delayed loses every tie of step 5 to who is not
VD-DELAY-10 resolution.carry_out: Two delayed settle ties normally. Different types are no tie
VD-DELAY-11 slots.own_rank: Delayed does not touch fast actions
VD-DELAY-12 members.of_rank: Delayed and spells: LOW, ties not lost
VD-DELAY-13 commitments.commit: Delayed and a delaying activity: it is complex
VD-DELAY-14 slot.go_last: Delayed and a declared complex activity: no change
VD-DELAY-15 actions.delay.DELAY: Announcing a delay costs no time
VD-CPLX-01 work.started: Complex is declared, major, one round or longer
VD-CPLX-02 work.finish: It completes at Go Last of its last round
VD-CPLX-03 actions.activity.undeclared: Undeclared the GM may allow part of it, else it is refused
VD-CPLX-04 action_costs.not_locked: Nothing else in that round, except immediate actions and free
  attacks
VD-DLYG-01 actions.activity.DELAYING: Delaying: by default minor, 1 segment. Data can say more
VD-DLYG-02 commitments.queue: Only in LOW. Tried in HIGH it waits, and the individual is LOW from
  then on
VD-DLYG-03 commitments.queue: It takes place in D4 unless it is part of something else
VD-DLYG-04 activities.loaded: Part of an attack: with the attack, at its place
VD-DLYG-05 commitments.queue: A major action may follow it, and it does not make delayed
VD-DLYG-06 work.nothing_else: For the delayed it is complex: Go Last, major, nothing else
VD-SIMP-01 actions.activity.SIMPLE: Simple: minor by default, 1 segment
VD-SIMP-02 action_costs.take_time: Simple with an asterisk takes no time
VD-SIMP-03 activities.times: A part of the major action adds nothing, such as drawing the weapon
VD-SIMP-04 actions.attack.time: An activity of a segment with the major action raises its time
  component
VD-SIMP-05 activities.times: Sheathe, draw and attack: one more in ties
VD-SIMP-06 commitments.ask_about_several: Several activities in a slot: the GM rules none, delaying
  or complex
VD-SIMP-07 slots.ORDER: No finer order than the slots is promised
VD-SIMP-08 activities.activity: Any task can be an activity: simple, minor, 1 segment
VD-ATTR-01 numbers.all_attributes: Abilities may carry attributes
VD-ATTR-02 numbers.is_immune: Immune to an attribute: no roll, no effect
VD-ATTR-03 numbers.all_attributes: An attribute can imply others: fear is mind-affecting
VD-ABIL-01 sheet.action_type: Without notation: innate, minor, 1 segment, undeclared
VD-ABIL-02 actions.abilities.INNATE: Innate abilities are D1 and slow the major action by 1
VD-ABIL-03 sheet.must_declare: An invocation is declared and major, with 1 segment unless noted
VD-ABIL-04 spells.begin: Activation and casting begin on segment 1 of the round of declaring
VD-ABIL-05 ability_use.own_action: A missing part of a notation takes the default
VD-ATK-01 attack.as_the_gm_says: A target, the GM's modifiers, 1d20
VD-ATK-02 attack.hits: Hit when die and modifiers reach the table's number for the effective AC
VD-ATK-03 attack.hits: Natural 1 misses, natural 20 hits
VD-ATK-04 attack.hits: Table numbers are modified scores
VD-ATK-05 attack.attack_roll: AC, number, total, natural faces, foiled, damage: in this order
VD-ATK-06 attack.hit: Damage right after each hit, then special damage, then effects with their
  saves
VD-ATK-07 attack_numbers.source_of: An attack's own AAC0 replaces the attacker's for it
VD-ATK-08 stat_line.parse: The stat line: mode, count, name, damage, special damage, AAC0, effects
VD-AC-01 sheet_faults.check: Armour Class runs from −10, the best, to 10
VD-AC-02 numbers.effective_ac: Bonuses lower Armour Class, penalties raise it. A held shield
  counts
VD-AAC0-01 attack_numbers.needed: The number for each AC follows from AAC0
VD-AAC0-02 attack_numbers.needed: 20* needs 20 against AC 1 too
VD-AAC0-03 attack_numbers.TWENTIES: Exactly six 20s, then one more for each point
VD-AAC0-04 attack.hits: 21 and more are reached by modifiers, or by a natural 20
VD-AAC0-05 attack_numbers.source_of: AAC0 alone is enough for a class without a table
VD-AAC0-06 sheet_faults.is_aac0: An AAC0 above 20 is refused
VD-HD-01 attack_numbers.source_of: Class members use their class's table, others their hit dice
VD-HD-02 attack_numbers.source_of: Racial hit dice, unless the class level is higher: then the
  better
VD-DMG-01 attack.damage_roll: Dice and modifiers, then multiplied, then off hit points
VD-DMG-02 attack.damage_roll: A multiplier applies to the whole modified total
VD-DMG-03 attack.multipliers: Multipliers do not stack: the highest counts
VD-DMG-04 attack.multipliers: Magic that says so multiplies on top
VD-EHD-01 hit_dice.hit_dice: Hit dice N+B. B 0 means none
VD-EHD-02 hit_dice.attack_band: Attack: +1 to +3 the plus line, +4 or more one hit die, never more
VD-EHD-03 hit_dice.save_dice: Saves: one hit die for each four points begun, without limit
VD-EHD-04 hit_dice.overall_dice: Overall hit dice are those of saves
VD-EHD-05 hit_dice.hit_points: Hit points: the bonus once for each die
VD-EHD-06 hit_dice.morale_bonus: Morale gains the bonus
VD-CALL-01 actions.called_shot.CALLED_SHOT: A called shot is put to the GM, who sets modifiers and
  meaning
VD-CALL-02 actions.called_shot.CALLED_SHOT: A natural 20 may give a good result. Otherwise the
  shot is wasted
VD-CALL-03 actions.called_shot.GRAB_ITEM: Grabbing an item works the same way
VD-FOIL-01 strikes.foil: Kept out or immune: rolled normally, and then it fails, even on a natural
  20
VD-FOIL-02 strikes.why_foiled: Hedging is plain after the first routine
VD-FOIL-03 strikes.why_foiled: Immunity is not plain unless the data say so
VD-SPELL-01 action_costs.free_spell: One spell a round, an immediate one included
VD-SPELL-02 ability_use.counted: An innate ability may be counted as a spell by the GM
VD-SPELL-03 ability_use.own_action: A spell-like ability resolves where its notation puts it
VD-TGT-01 spells.begin: No target is needed at declaration
VD-TGT-02 spells.target_prompt: The caster announces it in D1 of its own rank
VD-TGT-03 spells.announce: No announcement: the spell is lost in that D1
VD-LOE-01 powers.no_line_of_effect: Distant spells need a line of effect
VD-LOE-02 powers.no_line_of_effect: An opening of a foot each way, and a straight line
VD-LOE-03 rulings.lines.block_line: Walls, glass and corners block it
VD-LOE-04 powers.no_line_of_effect: More than half covered breaks it
VD-LOE-05 powers.no_line_of_effect: A surface between air and water breaks it
VD-LOE-06 sheet.needs_line_of_effect: Range 0, touch and what the data exempt need none
VD-LOS-01 powers.no_line_of_sight: Distant spells at creatures and objects need sight when they
  are complete
VD-LOS-02 powers.no_line_of_sight: Concealment of 75 % or more breaks it
VD-LOS-03 sheet.needs_line_of_sight: Areas and points need a line of effect only
VD-GRID-01 places.SQUARE_FT: A square is 5 ft × 5 ft
VD-GRID-02 places.occupants: Two or more may squeeze into one square
VD-GRID-03 places.squeezed: They cannot fight there, but the very small and the able
VD-GRID-04 places.in_the_way: Allies may pass each other's square
VD-GRID-05 actions.movement.go: That breaks the concentration of both
VD-GRID-06 places.feet: Distance is from centre to centre
VD-MELEE-01 routines.out_of_reach: Melee is a zone: inside it anybody may be struck
VD-MELEE-02 actions.movement.ask_to_leave: In melee: no positioning, step 4 for multi-attackers
VD-MELEE-03 restricted_quarters.allowed: In restricted quarters squares matter, and the GM rules
VD-SPACE-01 routines.no_room: A weapon of more than 4 ft needs an open square beside it
VD-SPACE-02 places.has_room: Being surrounded makes it unusable. Allies fill squares too
VD-SPACE-03 routines.in_mode: A weapon's mode has its own space
VD-ROUT-01 routines.Use: A routine is what is struck at once
VD-ROUT-02 targets.aim: All of it at one target, a creature or an object
VD-ROUT-03 attack.strike: All blows are rolled, even if an earlier one drops the target
VD-ROUT-04 actions.attack.in_slot: Normally one routine a round
VD-ROUT-05 routines.use_of: A stroke, two weapons, claw and bite, two arrows: each one routine
VD-ROUT-06 routines.primary_attack: Primary: the main hand's attack, or the first routine
VD-FREE-01 free_attacks.free_attacks: A full primary routine at once, before the trigger completes
VD-FREE-02 free_attacks.free_attacks: It costs no action
VD-FREE-03 free_attacks.free_refusals: At most one on one creature by each opponent in a round
VD-FREE-04 free_attacks.free_refusals: At most one a segment
VD-FREE-05 free_attacks.free_refusals: In other segments of the round others may follow
VD-FREE-06 reactions.may_react: The surprised make none
VD-FREE-07 free_attacks.Offered: Taking it breaks the taker's concentration
VD-FREE-08 reactions.primary_use: The whole first routine, not the iterative ones
VD-FREE-09 free_attacks.make_free: It may carry a bonus, or a penalty on Armour Class
VD-IMMA-01 immediate_attacks.immediate_attacks: As a free attack in time and extent, but a major
  action
VD-IMMA-02 immediate_attacks.immediate_refusals: It needs a major action that is not used
VD-IMMA-03 immediate_attacks.make_at_once: It costs the major action
VD-IMMA-04 immediate_attacks.gives_up: It can replace a declared one, which ends with its
  consequences
VD-IMMA-05 immediate_attacks.immediate_refusals: The surprised make none
""",
)
