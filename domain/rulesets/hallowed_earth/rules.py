"""The index: every rule of the rulebook, in a line of our own, and the code that implements it."""

from collections.abc import Mapping

from domain.rulebook.index import index

_UNTOLD: Mapping[str, str] = {
    "HE-SURP-07": "what stays as it is",
    "HE-SHARE-03": "what stays as it is",
    "HE-SHARE-05": "an example",
    "HE-LATE-11": "nothing is missed",
    "HE-LATE-12": "nothing is missed",
    "HE-LATE-13": "an example",
    "HE-MOD-09": "told as HE-MOD-01",
    "HE-TIE-03": "what does not happen",
    "HE-MOVE-06": "a part of the limit that HE-MOVE-03 tells",
    "HE-DATK-06": "what does not change; the Reposte tells HE-FDEF-03",
    "HE-ATK-05": "what does not happen",
    "HE-STRESS-08": "what does not happen",
    "HE-WP-02": "what does not happen",
    "HE-INC-05": "what stays as it is",
    "HE-INC-06": "what stays as it is; HE-INC-03 tells the price",
    "HE-DYING-05": "told as HE-DYING-02 and -03",
    "HE-DYING-06": "told as HE-WP-07",
    "HE-STAB-08": "what does not happen",
    "HE-INJ-10": "what does not happen",
    "HE-ATTR-02": "the terms of the sums tell their own rules",
    "HE-MOR-04": "counted in the number of HE-MOR-07",
    "HE-MOR-10": "what does not happen",
    "HE-MOR-13": "numbers are as they were",
}
"""Rules that no event, refusal or term names, and why there is nothing to tell."""

RULES = index(
    "domain.rulesets.hallowed_earth",
    """
HE-SEQ-01 flow.begin: Surprise and initiative once, then rounds of declaring, counting, morale
HE-SEQ-02 action_costs.off_turn: Nothing resolves before everybody who may has declared
HE-SEQ-03 initiative.line_up: Resolution goes up through the numbers
HE-SEQ-04 rulings.harming.override: The Referee may settle every step and result otherwise
HE-SURP-01 rulings.running.surprise: A combatant that does not know of its enemies is surprised in
  round 1
HE-SURP-02 initiative.roll_all: The surprised roll their initiative die like everybody
HE-SURP-03 declarations.may_declare: The surprised do not declare
HE-SURP-04 action_costs.present: The surprised do not act, move or react
HE-SURP-05 flow.expiries: Surprise ends with its round. There is no new die and no missed turn
HE-SURP-06 initiative.arrive: A newcomer may be surprised on entering
HE-SURP-07 flow.surprised: Surprise changes neither Defense nor Armour
HE-INIT-01 initiative.roll_all: Everybody rolls 1d12 once, when combat begins
HE-INIT-02 declarations.own_modifier: Base Initiative is the die less the Agility modifier
HE-INIT-03 declarations.own_modifier: Traits, features and talents add to that roll
HE-INIT-04 initiative.roll_one: Initiative has no lowest value
HE-INIT-05 initiative.set_base: The Base lasts for the whole combat. Damaged Agility does not
  change it
HE-INIT-06 initiative.ordered: Lower is earlier
HE-INIT-07 declarations.declared: Round Initiative is the Base plus the modifier of what was
  declared
HE-INIT-08 declarations.declared: It is computed afresh each round
HE-INIT-09 initiative.set_base: A changed Base counts at once for who has not acted, else next
  round
HE-SHARE-01 initiative.roll_one: Monsters of one group share a die
HE-SHARE-02 initiative.roll_one: Each member subtracts its own modifiers from the shared die
HE-SHARE-03 declarations.order: Only the die is shared: each declares for itself
HE-SHARE-04 sheet.check: A character has no group
HE-SHARE-05 initiative.roll_one: Four groups and loners among eight monsters roll four dice
HE-LATE-01 rulings.running.enter: A newcomer rolls its die at once
HE-LATE-02 initiative.enter: Unless surprised it declares at once for the round in progress
HE-LATE-03 initiative.take_place: A number that is still ahead is acted on in this round
HE-LATE-04 initiative.take_place: A number lower than the count is over, for any creature
HE-LATE-05 initiative.take_place: The missed turn comes in the next round at that number − 12
HE-LATE-06 initiative.line_up: Besides, it acts normally in that round
HE-LATE-07 count.declaration: The missed turn is the action declared then, at any target
HE-LATE-08 flow.expiries: Only for one round
HE-LATE-09 initiative.begin_turn: Both turns have their actions. Speed and Reaction are shared
HE-LATE-10 initiative.take_place: A number equal to the count joins the slot
HE-LATE-11 initiative.enter: Entering while others declare or the round ends misses nothing
HE-LATE-12 initiative.enter: A surprised newcomer misses nothing
HE-LATE-13 initiative.take_place: The ghoul: 8 while the count stands at 13, then −4 and 8, then 8
HE-DECL-01 flow.declare: Every round who is neither surprised nor dead declares one action
HE-DECL-02 declarations.declared: The action and what fixes its modifier bind, a target does not
HE-DECL-03 rulings.running.set_declare_order: How declarations are collected is the table's choice
HE-DECL-04 declarations.order: clockwise: round the table from the Referee's left
HE-DECL-05 declarations.order: counterclockwise: the other way round
HE-DECL-06 declarations.order: agility: from the highest Agility score
HE-DECL-07 declarations.order: initiative-modifier: from the lowest own modifier
HE-DECL-08 flow.secretly: secret: revealed together when the last is in
HE-DECL-09 rulings.running.order_refusals: The way of declaring does not change during a combat
HE-DECL-10 flow.in_order: In an order nobody declares before its place, and each is seen at once
HE-DECL-11 actions.deed.bound: The declared action is done with that tool, or nothing is done
HE-DECL-12 declarations._once: One declaration a round
HE-DECL-13 action_costs.off_turn: Declaring belongs to its step, newcomers apart
HE-DECL-14 rulings.running.close_declare: When the GM closes the step, the others do nothing
HE-DECL-15 declarations._declarable: Declaring needs the thing. Whether it can be done is decided
  later
HE-MOD-01 actions.attack.ATTACK: attack: weapon speed
HE-MOD-02 actions.cast.speed: cast: spell speed
HE-MOD-03 actions.items.USE_ITEM: use-item: +6 unless the item says otherwise
HE-MOD-04 actions.items.THROW_ITEM: throw-item: +2 unless the item says otherwise
HE-MOD-05 actions.full_defense.FULL_DEFENSE: full-defense: −1
HE-MOD-06 actions.attack.DEFENSIVE_ATTACK: defensive-attack: weapon speed + 1
HE-MOD-07 actions.attack.DEFENSIVE_ATTACK: defensive-attack without attacking: +1
HE-MOD-08 actions.cast.speed: Spell speed is the casting TN − 10 unless the spell says otherwise
HE-MOD-09 actions.attack.ATTACK: Natural weapons have a speed like others
HE-MOD-10 actions.ability.DECLARED: A thing that is not listed has +0, or the modifier in its data
HE-MOD-11 actions.attack.ATTACK: A thrown weapon is an attack. Other things are throw-item
HE-TIE-01 slot.slot: Numbers upward, those that nobody has skipped, missed turns among them
HE-TIE-02 slot.slot: Turns of one number happen at the same time. Nothing breaks the tie
HE-TIE-03 slot.resolve: No turn of a slot is touched by the results of another
HE-TIE-04 slot.resolved: Stances, movement, targets and rolls, results, Repostes, the rest
HE-TIE-05 slot.settle: A Full-Defense counts against attacks of its own slot
HE-TIE-06 numbers.apart: Reach is met at the beginning of the slot or after the movement
HE-TIE-07 numbers.by_agility: Asked by Agility score, then joining
HE-TIE-08 action_costs.unable: The dead of a lower number do not act. The fallen act as they are
HE-ACT-01 initiative.begin_turn: One Standard Action, one Free Action, one Reaction
HE-ACT-02 action_costs._USED: The declared action is the only Standard Action
HE-ACT-03 actions.small.free_action: One Free Action a turn, undeclared
HE-ACT-04 flow.declare: One Reaction a round, back when the next begins
HE-ACT-05 action_costs.off_turn: Actions and movement belong to the own slot
HE-ACT-06 actions.small.speak: Speech is free, for whoever can speak
HE-MOVE-01 actions.move.move: Speed is the distance of one round
HE-MOVE-02 actions.move.covered: In any number of pieces, which are added up
HE-MOVE-03 actions.move._too_far: The sum may equal speed, not exceed it
HE-MOVE-04 slot.settle: Movement takes place in the own turns, before or after the action
HE-MOVE-05 declarations.declared: Movement is no declared action
HE-MOVE-06 numbers.movement: Half a speed is not rounded. The grid has whole squares
HE-MOVE-07 actions.move.entered: Entering a foe's threat range provokes
HE-FDEF-01 actions.full_defense.do_full_defense: Full-Defense is a Standard Action at −1
HE-FDEF-02 numbers.defense: +4 Defense on top of everything but a second one
HE-FDEF-03 actions.reposte.answering: Attacked, hit or miss, it may answer with a Reposte
HE-FDEF-04 numbers.movement: At most half speed in that round, from the declaration on
HE-FDEF-05 actions.full_defense.do_full_defense: From its own number to the end of the round
HE-DATK-01 actions.attack.DEFENSIVE_ATTACK: A normal attack at weapon speed + 1
HE-DATK-02 actions.move.provoke: Its movement provokes nothing by entering
HE-DATK-03 actions.attack.DEFENSIVE_ATTACK: It may be declared without a weapon
HE-DATK-04 slot.aim: With a weapon and then no attack: number and protection stay
HE-DATK-05 actions.deed.bound: Without a weapon there is no attack
HE-DATK-06 actions.reposte.answering: No Defense, no penalty, no shelter from a Full-Defense
HE-REP-01 actions.reposte.unable: A Reposte needs the Reaction
HE-REP-02 actions.reposte.entering: An opponent enters the threat range, not by defensive-attack
HE-REP-03 actions.reposte.answering: Attacked while its Full-Defense runs
HE-REP-04 actions.reposte.make: One melee attack, one roll, critical hits as usual
HE-REP-05 actions.reposte.make: No Standard Action and no initiative, before or after the own turn
HE-REP-06 actions.reposte.entering: Entering: before the mover goes on. Attacked: after the result
HE-REP-07 actions.move.entered: Only entering counts, each time
HE-REP-08 actions.reposte.weapons: The provoker is inside the threat range
HE-REP-09 actions.reposte.unable: Not by the surprised, dead, paralyzed, nor without a trigger
HE-REP-10 action_costs.spend: A Reposte is an action for the fallen and for a broken rib
HE-ATK-01 numbers.defense: Defense is 10 + Agility modifier + Defense bonus
HE-ATK-02 numbers.defense: All other Defense adds up
HE-ATK-03 attack.strike: A total of Defense or more hits
HE-ATK-04 attack.strike: 1d20 + weapon bonus + attack modifiers
HE-ATK-05 attack.strike: No face hits or misses by itself
HE-ATK-06 things.shield_counts: Armour counts worn, a shield held
HE-ATK-07 attack.reaches: Reach for melee, range for the others
HE-ATK-08 actions.attack.do_attack: Each strike is a roll and a hit of its own, all at one target
HE-ATK-09 attack._damage: Dice + Strength + bonuses, not below 0 before multiplying
HE-ARM-01 numbers.armour: Armour is the sum of all its bonuses
HE-ARM-02 attack._damage: It comes off each hit
HE-ARM-03 harm.suffer: A hit does at least 0. A hit of 0 leaves no wound
HE-ARM-04 attack._damage: Off critical hits too, after multiplying
HE-ARM-05 effects._damage: Not off damage without an attack, unless data say so
HE-STRESS-01 harm.roll_stress: A die and the Strength modifier for each HD or level
HE-STRESS-02 harm.roll_stress: Five d8 and a modifier of +3 are 5d8 + 15
HE-STRESS-03 harm.suffer: Damage lowers Stress first
HE-STRESS-04 harm.suffer: The rest of the same hit lowers Wound Points
HE-STRESS-05 harm.suffer: Critical hits and what says so go past Stress
HE-STRESS-06 effects.cannot_pay: Abilities may cost all Stress, not more. Wound Points do not pay
HE-STRESS-07 effects.from_stress: Stress pays Mana one for one, in part or wholly
HE-STRESS-08 consequences._state: 0 Stress is no condition
HE-STRESS-09 harm.heal_stress: Stress does not lift what low Wound Points bring, and still absorbs
HE-WP-01 sheet.max_wound_points: Wound Points are the Strength score + modifiers
HE-WP-02 sheet.max_wound_points: They do not grow with level or HD
HE-WP-03 harm.wound: Every loss is one wound with its types and amount
HE-WP-04 harm.suffer: A loss of Stress is no wound
HE-WP-05 consequences._state: 0: incapacitated
HE-WP-06 consequences._state: Below 0: dying
HE-WP-07 numbers.dies_at: At −(Strength score): dead
HE-WP-08 harm.exert: Exertion and bleeding are wounds of 1
HE-WP-09 harm.heal_wounds: Healing takes as much off the wounds, the largest first
HE-INC-01 actions.small.speak: The incapacitated are conscious and talk
HE-INC-02 actions.move.crawl: They crawl a yard a turn and do not move otherwise
HE-INC-03 action_costs.spend: Every other action costs a Wound Point
HE-INC-04 harm.exert: The loss comes after the effect, past Stress and Armour
HE-INC-05 action_costs.budget: The number of actions stays
HE-INC-06 actions.deed.possible: An action that was declared before may still be done
HE-DYING-01 action_costs.spend: The dying go on as the incapacitated do
HE-DYING-02 action_costs.budget: One action of any kind in a round, one more with a missed turn
HE-DYING-03 action_costs.dying_moves: Not both movement and an action
HE-DYING-04 flow.end_round: 1 Wound Point at the end of every round
HE-DYING-05 action_costs.budget: A combatant that drops to −1 by acting is dying from then on
HE-DYING-06 harm.exert: These losses kill at the limit. The last action has taken effect
HE-STAB-01 actions.stabilize.do_stabilize: A Heal check against 10 + the worst single wound
HE-STAB-02 actions.stabilize.do_stabilize: The number or more stabilizes. With less, another try
  is possible
HE-STAB-03 actions.stabilize.do_stabilize: Wounds are not added up. Without one the number is 10
HE-STAB-04 actions.stabilize.can_be_stabilized: Only who is down and not stabilized
HE-STAB-05 numbers.movement: The stabilized move at half speed
HE-STAB-06 action_costs.spend: Their first action of a round is free
HE-STAB-07 action_costs.spend: Every further one costs a Wound Point
HE-STAB-08 states.is_dying: They do not bleed, and the limits of the dying do not hold
HE-STAB-09 harm.wound: It ends above 0, or with a wound other than exertion
HE-STAB-10 actions.stabilize.can_be_stabilized: Anybody within 5 ft may try, itself included
HE-CRIT-01 attack._damage: A critical hit multiplies by 2, 3 or 4
HE-CRIT-02 attack._damage: The whole sum, with one damage roll
HE-CRIT-03 attack._damage: All of it goes to Wound Points
HE-CRIT-04 attack.strike: It hits and the face is in the critical range
HE-CRIT-05 attack.injury_of: It brings a chance of an injury
HE-INJ-01 injuries.injury_dice: 1d100 up to the damage dealt: an injury
HE-INJ-02 injuries.injury_dice: The damage after Armour counts. With 0 there is no roll
HE-INJ-03 injuries.injury_dice: Then the table of the damage type
HE-INJ-04 injuries._which_table: Of several types the attacker's player picks, for monsters the GM
HE-INJ-05 injuries.injury_dice: Of eleven tables, only blunt has entries
HE-INJ-06 injuries._empty: An empty table is a ruling, without a die
HE-INJ-07 injuries.details: 8 to 12 are for one arm: 1d4
HE-INJ-08 injuries.details: Attribute damage, one roll for all that are named
HE-INJ-09 injuries.heal: An injury lasts until healed. Its attribute damage is healed separately
HE-INJ-10 attack.injury_of: Only critical hits cause injuries
HE-BLUNT-01 actions.skill_check.skill_check: Crushed Foot: −5 to Balance
HE-BLUNT-02 numbers.movement: Broken Shin: 1d8 Agility, half speed
HE-BLUNT-03 tables._ROWS: Shattered Kneecap: 1d12 Agility, prone
HE-BLUNT-04 tables._ROWS: Broken Femur: 1d10 Agility
HE-BLUNT-05 tables._ROWS: Shattered Hip: 4d4 Agility
HE-BLUNT-06 action_costs.rib: Broken Rib: 2d4 Strength, one action in two turns
HE-BLUNT-07 tables._ROWS: Broken Collarbone: 3d4 Strength
HE-BLUNT-08 actions.attack.hindered: Crushed Shoulder: 2d8 Strength and Dexterity, and no attack
  with it
HE-BLUNT-09 actions.items._hand: Broken Upper Arm: 1d10 Strength, no attack with that arm
HE-BLUNT-10 actions.items._hand: Shattered Elbow: 1d12 Dexterity, no attack with that arm
HE-BLUNT-11 actions.items._hand: Broken Forearm: 1d10 Strength and Dexterity, holds nothing
HE-BLUNT-12 actions.items._hand: Shattered Hand: 4d4 Dexterity, no use of that hand
HE-BLUNT-13 tables._ROWS: Broken Finger: 1d8 Dexterity
HE-BLUNT-14 action_costs.body: Broken Neck: paralyzed
HE-BLUNT-15 flow.suffocation: Crushed Windpipe: neither speech nor breath
HE-BLUNT-16 action_costs.voice: Broken Jaw: neither speech nor chewing
HE-BLUNT-17 tables._ROWS: Broken Nose: no smell, 1d10 Perception
HE-BLUNT-18 tables._ROWS: Eye Swollen Shut: blind in one eye, 2d8 Perception
HE-BLUNT-19 tables._ROWS: Cauliflower Ear: deaf in one ear, 1d12 Perception
HE-BLUNT-20 tables._ROWS: Cracked Skull: 1d8 Memory and Perception, concussed
HE-ATTR-01 sheet.ATTRIBUTES: Nine attributes
HE-ATTR-02 numbers.modifier: Agility, Strength and Insight count in combat
HE-ATTR-03 harm.damage_attribute: Attribute damage lowers the score, not below 0, and its modifier
HE-ATTR-04 numbers.defense: Lower Agility lowers Defense at once, not the Base Initiative
HE-ATTR-05 consequences._strength: Lower Strength lowers maximum Wound Points and the death limit
HE-ATTR-06 numbers.dies_at: A score of 0 is a ruling. The death limit is at most −1
HE-MAG-01 effects.pay: A spell costs its Mana when it resolves
HE-MAG-02 actions.cast.do_cast: A spell with a casting bonus needs a check.
  Failing wastes action and Mana
HE-MAG-03 effects.take_effect: A spell's attack roll is an attack
HE-ITEM-01 actions.items.do_use_item: A consumable is used up when the action resolves
HE-ITEM-02 actions.items.do_throw_item: A thrown item leaves the thrower, hit or miss
HE-MOR-01 morale._checks: Monsters check at the end of the round, characters never
HE-MOR-02 harm.suffer: More than half its maximum in a single hit
HE-MOR-03 morale._check: More opponents than its own side
HE-MOR-04 morale._check: Hostile monsters are opponents too
HE-MOR-05 actions.intimidate.do_intimidate: Intimidation: its result is opposed
HE-MOR-06 morale._check: 3d6 + Insight modifier + HD + allies
HE-MOR-07 morale._check: Against 11 + opponents, or the Intimidation
HE-MOR-08 morale.tested: The number or more holds
HE-MOR-09 rulings.running.obvious: A combatant that sees the end fails without dice
HE-MOR-10 morale.due: Without a trigger no check
HE-MOR-11 states.able_to_fight: Combatants that are able to fight are counted
HE-MOR-12 morale.due: One check a round, against the highest number
HE-MOR-13 morale.morale: All by the numbers at the beginning of the step
HE-MOR-14 morale.failed: The GM rules on the result of a failure, by default flight
HE-END-01 flow.confirmed: The GM ends it, asked when no two hostile sides can fight
HE-END-02 flow.end_round: The dying, suffocation, morale, expiries, the GM's word
HE-END-03 flow.ended: Initiative is wiped. The rest stays
HE-END-04 action_costs.off_turn: Afterwards combat actions are refused
""",
    _UNTOLD,
)
