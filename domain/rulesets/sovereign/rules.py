"""The index: every rule of the rulebook, the code that implements it, a line of our own."""

from domain.rulebook.index import index

RULES = index(
    "domain.rulesets.sovereign",
    """
SOV-GRID-01 board.space: Squares of 5 ft. An ordinary combatant fills one cube
SOV-GRID-02 board.feet_apart: Adjacent by face, edge or corner. Distance by the longest axis
SOV-GRID-03 movement.step_cost: Steps of 5 ft to adjacent squares. A diagonal costs the same
SOV-GRID-04 movement.occupied: Allies may be passed. No move ends in an occupied square
SOV-GRID-05 movement.bars: Standing enemies bar the way, fallen or tiny ones do not
SOV-GRID-06 movement.blocked: Rough squares cost 10 ft, barred ones cannot be entered
SOV-GRID-07 movement.blocked: A diagonal step cuts no corner of a wall or a standing enemy
SOV-GRID-08 board.covered: A radius covers a square of twice its size around a corner
SOV-LOS-01 sight.los: One free line between two cubes is enough for sight, which is mutual
SOV-LOS-02 sight.view: Combatants are not solid and give no cover
SOV-LOS-03 sight.view: The test is between cubes in three dimensions
SOV-LOS-04 sight.cover: Half cover: some corners of the target are hidden
SOV-LOS-05 sight.cover: Full cover: in sight, but none of its corners
SOV-LOS-06 sight.cover: No cover: every corner is seen from some point
SOV-LOS-07 sight.cover: Cover belongs to an ordered pair
SOV-LOS-08 sight.view: Touching a solid is free, running inside or between two is not
SOV-LOS-09 blow.reach_refusals: Nobody is attacked without line of sight
SOV-LOS-10 attack.situational: Cover counts in melee too. The GM can set any pair
SOV-SEQ-01 flow.flow: Sides act in turn, highest initiative first, round after round
SOV-SEQ-02 flow.act: Members of a side act in any order and may interleave
SOV-SEQ-03 flow.waiting: A side turn ends when every member has ended its own
SOV-SEQ-04 costs.off_turn: Off the own side turn only instants, opportunities and prompts
SOV-SEQ-05 flow.round_end: A round is ten seconds, six make a minute
SOV-SEQ-06 flow.side_start: The own next turn begins with the side's next side turn
SOV-SEQ-07 flow.round_end: At round-end: swarms, holds, grapples, deaths, effects
SOV-SEQ-08 flow.end_combat: With one side left the GM is asked whether the combat ends
SOV-SEQ-09 initiative.late_side: Newcomers act with their side. A new side is inserted
SOV-INIT-01 initiative.throw: Each side rolls 1d8, highest first
SOV-INIT-02 initiative.leader: The party adds its best DEX, the others nothing
SOV-INIT-03 initiative.initiative: The party wins ties
SOV-INIT-04 initiative.initiative: Other tied sides roll again among themselves
SOV-INIT-05 flow.flow: Initiative is rolled once
SOV-SURP-01 surprise.begin: The surprised do nothing in one free round of their enemies
SOV-SURP-02 surprise.decided: The GM decides which groups are surprised
SOV-SURP-03 surprise.surprise_check: An opposed check can make surprise the default
SOV-SURP-04 surprise.surprise_check: One rolls, and the others help, against 8 + the best Notice
SOV-SURP-05 surprise.immune: A combatant that anticipates combat cannot be surprised
SOV-SURP-06 surprise.immune: Careful groups only by enemies who are all hidden
SOV-SURP-07 flow.unsurprised: The surprise round runs like any other, then initiative is rolled
SOV-SURP-08 numbers.ac_terms: Surprise changes no AC and no attack roll
SOV-SURP-09 surprise.begin: With everybody surprised nobody is
SOV-ACT-01 actions.use_ability.use_ability: Actions cost a Main, a Move, or are Free or Instant
SOV-ACT-02 costs.main_refusals: One Main a round, back at round-start
SOV-ACT-03 costs.move_refusals: One Move a round
SOV-ACT-04 costs.pay_move: The Main can pay for a Move, not the reverse
SOV-ACT-05 flow.side_end: An unused Main stays until round-end, an unused Move lapses unless held
SOV-ACT-06 costs.plausible: Free actions without limit, unless the option asks the GM
SOV-ACT-07 costs.plausible: Instants at any moment, without limit unless the option asks
SOV-ACT-08 costs.able_refusals: A disabled combatant takes no action
SOV-ACT-09 actions.improvise.improvise: Anything else is improvised and the GM sets what it is
SOV-ACT-10 opportunity.from_adjacent: Charging, skills, running, picking up, standing up draw
  blows
SOV-INST-01 windows.window: Windows after the declaration, after attack rolls, after other rolls
SOV-INST-02 windows.questions: At a window everybody with a legal instant is asked at once
SOV-INST-03 costs.instant_refusals: Between windows instants interject at any prompt
SOV-INST-04 windows.resolve: One batch: what has no dice, then all snap rolls, then results
SOV-INST-05 attack.contradictions: The GM rules where instants contradict each other
SOV-INST-06 windows.resolve: Held turns come after other instants and before the action
SOV-INST-07 attack.illegal: The waiting action goes on if still possible, else it is lost
SOV-INST-08 windows.entered: An instant may name a square of a declared path
SOV-INST-09 attack.contradictions: An outcome that an ability changes counts in every respect
SOV-INST-10 attack.judged: A changed outcome opens the window once more
SOV-AOO-01 opportunity.from_adjacent: Each adjacent armed enemy gets one free melee attack
SOV-AOO-02 opportunity.drawn: Each is asked, default pass, once per drawing action
SOV-AOO-03 arms.armed: Armed: able, not grappling, a melee or natural weapon at hand
SOV-AOO-04 movement.walk: It comes before the action takes effect
SOV-AOO-05 opportunity.strike: It is an attack like any other
SOV-AOO-06 opportunity.threatens: Avoided by distance or by disengaging
SOV-AOO-07 actions.shove.shoved: Forced movement draws none
SOV-MEL-01 actions.attacks.melee_attack: A Main for a melee attack on a target in reach
SOV-MEL-02 arms.skills: Stab or Brawl as the weapon says. Bare hands use Brawl
SOV-RNG-01 actions.attacks.ranged_attack: A Main for a shot or throw within long range
SOV-RNG-02 arms.skills: Shoot. Thrown weapons may use Stab or Exert
SOV-RNG-03 blow.shooting_refusals: In melee −4, bows and two-handed shooters not at all
SOV-RNG-04 arms.in_melee: In melee: an able enemy's reach covers the shooter
SOV-RNG-05 attack.shooting: Past normal range −2
SOV-RNG-06 attack.thrown: A thrown piece lies in the target's square
SOV-SNAP-01 actions.snap_attack.snap_attack: Give up the Main for one attack at −4
SOV-SNAP-02 actions.snap_attack.snap_refusals: Not with a spent Main
SOV-SNAP-03 actions.snap_attack.snap_refusals: Of NPCs only the disciplined
SOV-SNAP-04 actions.cast_spell.cast_spell: It can interrupt a spell
SOV-SNAP-05 attack.landed: It can kill an attacker before the damage is rolled
SOV-SNAP-06 actions.snap_attack.snap_refusals: Limits of the attack apply, and no manoeuvres
SOV-SWARM-01 actions.swarm.swarm_attack: A Main to join the side's open swarm on an enemy
SOV-SWARM-02 actions.swarm.swarm_attack: Four members at most. The fourth makes the strike due
SOV-SWARM-03 actions.swarm.swarm_strike: One member strikes for all, at no further cost
SOV-SWARM-04 attack.situational: +2 to hit and +1 damage per other able member
SOV-SWARM-05 attack.damage: The bonus stays within the usual maximum, not in Shock
SOV-SWARM-06 shock.hurts: A swarm's miss hurts whatever AC, shield or immunity
SOV-SWARM-07 shock.hurts: Only Total Defense protects from that
SOV-SWARM-08 actions.swarm.side_ends: The strike closes it. Otherwise the side is asked as its
  turn ends
SOV-SWARM-09 attack.damage: Alone it is an ordinary attack
SOV-SWARM-10 actions.swarm.strikes: Only the striker's weapon, range and place count
SOV-CHG-01 actions.charge.charge: Main and Move: up to twice the rate straight, attack at +2
SOV-CHG-02 actions.charge.way_refusals: At least 5 ft, at most twice the rate
SOV-CHG-03 actions.charge.charge: AC −2 from the declaration to round-end
SOV-CHG-04 actions.charge.charge: Draws from armed enemies adjacent at the start only
SOV-CHG-05 actions.charge.charge_refusals: Melee and thrown weapons only
SOV-CHG-06 actions.charge.way_refusals: Straight by rounding, and not while prone
SOV-CHG-07 actions.charge.charge: No attack when stopped on the way
SOV-SCRN-01 actions.screen_ally.screen_ally: A Move to an ally's side blocks attacks on it
SOV-SCRN-02 consequences.parted: Over when more than 5 ft apart or not able
SOV-SCRN-03 screen.screened: The attacker must win an opposed combat-skill check
SOV-SCRN-04 screen.screened: A lost check turns the attack on the screener
SOV-SCRN-05 screen.capacity: As many different attackers a round as the best combat skill
SOV-SCRN-06 screen.question: Each screener with capacity is asked, default block
SOV-SCRN-07 screen.screened: One roll against all. The lowest number that held takes it
SOV-SCRN-08 actions.screen_ally.moved_up: Draws from adjacent armed enemies only when moving
SOV-SCRN-09 attack.strike: Every kind of attack can be screened
SOV-SCRN-10 screen.screeners: Not what cannot be parried or blocked
SOV-SCRN-11 attack.illegal: A redirected attack is never out of reach
SOV-TD-01 actions.total_defense.total_defense: Give up the Main: AC +2, no Shock to the next turn
SOV-TD-02 shock.hurts: The immunity includes a swarm's sure damage
SOV-TD-03 actions.total_defense.total_defense_refusals: Not with a spent Main
SOV-TD-04 attack.dodged: After the roll the same total meets the raised AC
SOV-TD-05 actions.total_defense.total_defense: It ends as the own side's next side turn starts
SOV-RUN-01 actions.run.run: A Move for one path up to the normal rate
SOV-RUN-02 movement.leaves: Leaving an armed enemy's reach draws its blow
SOV-RUN-03 opportunity.disengaged: Disengaging first avoids it
SOV-DIS-01 actions.run.disengage: No blows from those in whose range one is now, this round
SOV-DIS-02 opportunity.disengaged: Those who are met later still get theirs
SOV-DIS-03 actions.run.disengage: Disengaging moves nobody
SOV-SKILL-01 actions.use_skill.use_skill: A Main that draws blows
SOV-SKILL-02 actions.use_skill.outcome: 2d6 against 10 or the GM's number. The GM decides the
  result
SOV-SKILL-03 actions.use_item.use_item: Using an item on somebody counts as a skill, without a
  roll
SOV-ITEM-01 actions.stowage.stowage: A Main to ready or stow
SOV-ITEM-02 costs.draw: Drawing and sheathing need no action
SOV-ITEM-03 actions.pick_up.pick_up: A Move to pick up a thing within 5 ft. It provokes
SOV-RLD-01 loads.shot: A shot unloads, and unloaded nothing is shot
SOV-RLD-02 loads.by_itself: With Shoot 1 loading is free and happens by itself
SOV-RLD-03 loads.price: Below that a Move for a bow, a Main for a crossbow
SOV-RLD-04 loads.quiver: A readied quiver is needed
SOV-STAND-01 actions.posture.stand_up: A Move to rise, dropped things within 5 ft with it
SOV-STAND-02 actions.posture.stand_up: It draws blows while still prone
SOV-PRONE-01 actions.posture.go_prone: Free to fall prone
SOV-PRONE-02 attack.situational: Shots −2, blows +2, own blows −4, half the rate
SOV-PRONE-03 numbers.ac_terms: The AC stays as it is
SOV-HOLD-01 actions.hold.hold_action: A Move to hold the rest of the turn
SOV-HOLD-02 windows.resolve: Triggered it comes before what it answers
SOV-HOLD-03 actions.hold.trigger_held: One turn with what is left
SOV-HOLD-04 flow.round_end: Untriggered it is lost at round-end
SOV-HOLD-05 actions.hold.trigger_held: A held attack has no −4. Other instants stay possible
SOV-HOLD-06 actions.hold.hold_refusals: Not with a spent Move, not twice
SOV-ATK-01 attack.roll_attack: 1d20 and bonuses against the AC: equal hits
SOV-ATK-02 blow.best_attribute: One attribute of the weapon for attack, damage and Shock
SOV-ATK-03 attack.weapon_terms: Level −1 is added as −1
SOV-ATK-04 attack.attack_terms: An NPC's attack bonus is its HD unless given
SOV-ATK-05 attack.verdict: Natural 1 and 20 are numbers like others
SOV-ATK-06 attack.situational: Situational modifiers, all cumulative
SOV-ATK-07 sight.sees: −4 to shoot at the unseen. The unlocated cannot be shot at
SOV-DMG-01 attack.damage_terms: Weapon dice, attribute, modifiers, magic
SOV-DMG-02 attack.damage_terms: Bare hands add the Brawl level
SOV-DMG-03 shock.would_be: A hit does at least the Shock of a miss
SOV-DMG-04 harm.hurt: HP stop at 0. A hit does not heal
SOV-SHOCK-01 shock.shock_terms: Melee misses with a weapon that has Shock
SOV-SHOCK-02 shock.hurts: It hurts up to the Shock AC
SOV-SHOCK-03 shock.hurts: Without an AC it hurts any
SOV-SHOCK-04 shock.shock_terms: Value, attribute, magic and what adds to Shock
SOV-SHOCK-05 shock.shock: No dice, at once
SOV-SHOCK-06 shock.hurts: AC modifiers count, cover and prone do not
SOV-SHOCK-07 harm.shock_immune: Total Defense, feats and data make immune
SOV-SHOCK-08 shock.shielded: A shield swallows the first that would hurt each round
SOV-SHOCK-09 shock.strength: Shock can take somebody down
SOV-SHOVE-01 actions.shove.shove: A Main: a hit, then STR against STR
SOV-SHOVE-02 actions.shove.pushed_to: Success pushes one square or knocks prone
SOV-SHOVE-03 attack.landed: No damage and no Shock
SOV-SHOVE-04 actions.shove.size_penalty: −2 or −4 against bigger ones, impossible ones refused
SOV-GRAP-01 actions.grapple.grapple: An unarmed hit, then STR/Brawl against it
SOV-GRAP-02 ties.take_hold: One target each. Several may hold the same
SOV-GRAP-03 movement.grapple_refusals: In a grapple nobody moves or uses weapons
SOV-GRAP-04 consequences.parted: It lasts until released, broken, or apart
SOV-GRAP-05 actions.grapple.escape_grapple: Breaking out costs a Main and one check
SOV-GRAP-06 actions.grapple.holding_number: That check meets each holder's number
SOV-GRAP-07 actions.grapple.move_grappled: A won check drags both or throws the target
SOV-GRAP-08 actions.grapple.round_end: At round-end each holder hurts the target
SOV-DUAL-01 arms.pair_refusals: Level 1 in the skill of each weapon
SOV-DUAL-02 blow.blow_of: Each attack is made with one of the two
SOV-DUAL-03 attack.both_reach: +2 damage when the other could reach too
SOV-DUAL-04 shock.shock_terms: The +2 does not add to Shock
SOV-DUAL-05 attack.situational: −1 to every attack roll
SOV-EXEC-01 actions.execution.alert_refusals: Only who suspects nothing can be executed
SOV-EXEC-02 actions.execution.time_passes: A full minute first, or six rounds
SOV-EXEC-03 actions.execution.spoil: Any disturbance spoils it
SOV-EXEC-04 actions.execution.aimed: Ranged: DEX/Shoot with a bonus for nearness, against 10
SOV-EXEC-05 actions.execution.execution_attack: Melee: it hits by itself
SOV-EXEC-06 actions.execution.executed: A Physical save less the assassin's skill
SOV-EXEC-07 actions.execution.executed: Failed: 0 HP, mortally injured or unconscious
SOV-EXEC-08 actions.execution.executed: Made: the highest damage
SOV-EXEC-09 actions.execution.execution_attack: A Main in a round. Afterwards the target is alert
SOV-MOR-01 numbers.morale: Combatants that value their lives may retreat. The fearless never do
SOV-MOR-02 morale.wavers: Individuals are asked about at half their HP lost
SOV-MOR-03 morale.breaks: Groups at a third of their number lost, and each loss after
SOV-MOR-04 morale.side_starts: Asked at the start of the side turn, default retreat
SOV-MOR-05 morale.retreat: A retreating combatant counts as a loss and may leave
SOV-MOR-06 rulings.end_combat: Pursuit is not part of the fight. The GM ends it
SOV-CHK-01 checks.check: 2d6 + attribute + skill, 10 succeeds
SOV-CHK-02 checks.check: Opposed: the active side against 8 + the other's
SOV-CHK-03 numbers.check_terms: NPCs without skills use one modifier for all
SOV-CHK-04 checks.helped: Helpers add or take 1 each
SOV-SAVE-01 checks.saved: 1d20. 1 fails, 20 succeeds
SOV-SAVE-02 numbers.save_number: Characters by level and attributes, NPCs by HD
SOV-DOWN-01 consequences.collapses: At 0 HP: prone, empty-handed, helpless
SOV-DOWN-02 consequences.falls: The important are mortally injured, or unconscious
SOV-DOWN-03 consequences.falls: Others die, or are unconscious
SOV-DOWN-04 harm.deaths: Death at the end of the sixth round after the fall
SOV-DOWN-05 actions.stabilize.stabilize: First aid: adjacent, a kit, one attempt a round
SOV-DOWN-06 harm.stabilize: Success stabilizes
SOV-DOWN-07 consequences.recovers: Healing above 0 brings back, prone and frail
SOV-DOWN-08 consequences.falls: The frail die at 0 HP
SOV-SPELL-01 actions.cast_spell.cast_refusals: Casting is a Main unless its data say otherwise
SOV-SPELL-02 actions.cast_spell.takes_effect: Declared, window, checked, then as the data say
SOV-SPELL-03 actions.cast_spell.cast_spell: Lost when the caster loses HP before the effect
""",
)
