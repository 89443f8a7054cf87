"""Every operation of the contract.

Made from openapi/openapi.json by `scripts/make.py`.
"""

from __future__ import annotations

from affray_client import shapes
from affray_client.operation import Operation

list_rulesets: Operation[shapes.RulesetList] = Operation(
    "listRulesets", "GET", "/v1/rulesets", shapes.RulesetList
)
read_ruleset: Operation[shapes.RulesetView] = Operation(
    "readRuleset", "GET", "/v1/rulesets/{ruleset}", shapes.RulesetView
)
read_rules: Operation[shapes.RuleList] = Operation(
    "readRules", "GET", "/v1/rulesets/{ruleset}/rules", shapes.RuleList
)
list_combats: Operation[shapes.CombatPage] = Operation(
    "listCombats", "GET", "/v1/combats", shapes.CombatPage
)
open_combat: Operation[shapes.Opened] = Operation(
    "openCombat", "POST", "/v1/combats", shapes.Opened, media="application/json", keyed=True
)
read_combat: Operation[shapes.Board] = Operation(
    "readCombat", "GET", "/v1/combats/{combat}", shapes.Board
)
change_combat: Operation[shapes.Committed] = Operation(
    "changeCombat", "PATCH", "/v1/combats/{combat}", shapes.Committed, media="application/json"
)
delete_combat: Operation[None] = Operation("deleteCombat", "DELETE", "/v1/combats/{combat}", None)
begin_combat: Operation[shapes.Committed] = Operation(
    "beginCombat",
    "POST",
    "/v1/combats/{combat}/begin",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
set_deadlines: Operation[shapes.Committed] = Operation(
    "setDeadlines",
    "PUT",
    "/v1/combats/{combat}/deadlines",
    shapes.Committed,
    media="application/json",
)
end_combat: Operation[shapes.Committed] = Operation(
    "endCombat",
    "POST",
    "/v1/combats/{combat}/end",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
reveal_seed: Operation[shapes.Committed] = Operation(
    "revealSeed",
    "POST",
    "/v1/combats/{combat}/seed",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
add_salt: Operation[shapes.Committed] = Operation(
    "addSalt",
    "POST",
    "/v1/combats/{combat}/salts",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
set_map: Operation[shapes.Committed] = Operation(
    "setMap", "PUT", "/v1/combats/{combat}/map", shapes.Committed, media="application/json"
)
join_combat: Operation[shapes.Committed] = Operation(
    "joinCombat",
    "POST",
    "/v1/combats/{combat}/combatants",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
change_combatant: Operation[shapes.Committed] = Operation(
    "changeCombatant",
    "PATCH",
    "/v1/combats/{combat}/combatants/{combatant}",
    shapes.Committed,
    media="application/json",
)
remove_combatant: Operation[shapes.Committed] = Operation(
    "removeCombatant", "DELETE", "/v1/combats/{combat}/combatants/{combatant}", shapes.Committed
)
set_standing_orders: Operation[shapes.Committed] = Operation(
    "setStandingOrders",
    "PUT",
    "/v1/combats/{combat}/combatants/{combatant}/standing-orders",
    shapes.Committed,
    media="application/json",
)
add_picture: Operation[shapes.PictureView] = Operation(
    "addPicture",
    "POST",
    "/v1/combats/{combat}/pictures",
    shapes.PictureView,
    media="application/octet-stream",
    keyed=True,
)
copy_picture: Operation[shapes.PictureView] = Operation(
    "copyPicture",
    "POST",
    "/v1/combats/{combat}/pictures/copies",
    shapes.PictureView,
    media="application/json",
    keyed=True,
)
read_picture: Operation[None] = Operation(
    "readPicture", "GET", "/v1/combats/{combat}/pictures/{picture}", None
)
read_options: Operation[shapes.OfferList] = Operation(
    "readOptions", "GET", "/v1/combats/{combat}/options", shapes.OfferList
)
declare_action: Operation[shapes.Committed] = Operation(
    "declareAction",
    "POST",
    "/v1/combats/{combat}/actions",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
read_prompts: Operation[shapes.PromptList] = Operation(
    "readPrompts", "GET", "/v1/combats/{combat}/prompts", shapes.PromptList
)
answer_prompt: Operation[shapes.Committed] = Operation(
    "answerPrompt",
    "POST",
    "/v1/combats/{combat}/prompts/{prompt}",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
close_prompts: Operation[shapes.Committed] = Operation(
    "closePrompts",
    "POST",
    "/v1/combats/{combat}/close",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
preview: Operation[shapes.Preview] = Operation(
    "preview", "POST", "/v1/combats/{combat}/preview", shapes.Preview, media="application/json"
)
read_requests: Operation[shapes.RequestList] = Operation(
    "readRequests", "GET", "/v1/combats/{combat}/requests", shapes.RequestList
)
make_request: Operation[shapes.Committed] = Operation(
    "makeRequest",
    "POST",
    "/v1/combats/{combat}/requests",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
settle_request: Operation[shapes.Committed] = Operation(
    "settleRequest",
    "POST",
    "/v1/combats/{combat}/requests/{id}",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
read_sight: Operation[shapes.Sight] = Operation(
    "readSight", "GET", "/v1/combats/{combat}/sight", shapes.Sight
)
explain_numbers: Operation[shapes.Explained] = Operation(
    "explainNumbers", "GET", "/v1/combats/{combat}/combatants/{combatant}/explain", shapes.Explained
)
explain_number: Operation[shapes.Explained] = Operation(
    "explainNumber",
    "GET",
    "/v1/combats/{combat}/combatants/{combatant}/explain/{number}",
    shapes.Explained,
)
make_ruling: Operation[shapes.Committed] = Operation(
    "makeRuling",
    "POST",
    "/v1/combats/{combat}/rulings",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
write_note: Operation[shapes.Committed] = Operation(
    "writeNote",
    "POST",
    "/v1/combats/{combat}/notes",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
undo: Operation[shapes.Committed] = Operation(
    "undo",
    "POST",
    "/v1/combats/{combat}/undo",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
redo: Operation[shapes.Committed] = Operation(
    "redo",
    "POST",
    "/v1/combats/{combat}/redo",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
goto: Operation[shapes.Committed] = Operation(
    "goto",
    "POST",
    "/v1/combats/{combat}/goto",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
resume: Operation[shapes.Committed] = Operation(
    "resume",
    "POST",
    "/v1/combats/{combat}/resume",
    shapes.Committed,
    media="application/json",
    keyed=True,
)
read_events: Operation[shapes.EventPage] = Operation(
    "readEvents", "GET", "/v1/combats/{combat}/events", shapes.EventPage
)
read_timeline: Operation[shapes.Timeline] = Operation(
    "readTimeline", "GET", "/v1/combats/{combat}/timeline", shapes.Timeline
)
read_why: Operation[shapes.Why] = Operation(
    "readWhy", "GET", "/v1/combats/{combat}/why", shapes.Why
)
read_diff: Operation[shapes.Diff] = Operation(
    "readDiff", "GET", "/v1/combats/{combat}/diff", shapes.Diff
)
read_derivation: Operation[shapes.Derivation] = Operation(
    "readDerivation", "GET", "/v1/combats/{combat}/events/{version}/why", shapes.Derivation
)
compare_branches: Operation[shapes.Comparison] = Operation(
    "compareBranches", "GET", "/v1/combats/{combat}/compare", shapes.Comparison
)
verify_combat: Operation[shapes.Verification] = Operation(
    "verifyCombat", "GET", "/v1/combats/{combat}/verify", shapes.Verification
)
read_tree: Operation[shapes.Tree] = Operation(
    "readTree", "GET", "/v1/combats/{combat}/tree", shapes.Tree
)
erase_texts: Operation[None] = Operation(
    "eraseTexts", "POST", "/v1/combats/{combat}/erase", None, media="application/json", keyed=True
)
amend_combat: Operation[shapes.AmendmentReport] = Operation(
    "amendCombat",
    "POST",
    "/v1/combats/{combat}/amend",
    shapes.AmendmentReport,
    media="application/json",
    keyed=True,
)
ask_what_if: Operation[shapes.WhatIfReport] = Operation(
    "askWhatIf",
    "POST",
    "/v1/combats/{combat}/what-if",
    shapes.WhatIfReport,
    media="application/json",
)
export_combat: Operation[shapes.Export] = Operation(
    "exportCombat", "GET", "/v1/combats/{combat}/export", shapes.Export
)
import_combat: Operation[shapes.Opened] = Operation(
    "importCombat",
    "POST",
    "/v1/combats/import",
    shapes.Opened,
    media="application/octet-stream",
    keyed=True,
)
fork_combat: Operation[shapes.Opened] = Operation(
    "forkCombat",
    "POST",
    "/v1/combats/{combat}/fork",
    shapes.Opened,
    media="application/json",
    keyed=True,
    service_key=True,
)
read_statistics: Operation[shapes.Statistics] = Operation(
    "readStatistics", "GET", "/v1/combats/{combat}/statistics", shapes.Statistics
)
read_you: Operation[shapes.YourToken] = Operation(
    "readYou", "GET", "/v1/combats/{combat}/you", shapes.YourToken
)
list_tokens: Operation[shapes.TokenList] = Operation(
    "listTokens", "GET", "/v1/combats/{combat}/tokens", shapes.TokenList
)
issue_token: Operation[shapes.Issued] = Operation(
    "issueToken",
    "POST",
    "/v1/combats/{combat}/tokens",
    shapes.Issued,
    media="application/json",
    keyed=True,
)
revoke_token: Operation[None] = Operation(
    "revokeToken", "DELETE", "/v1/combats/{combat}/tokens/{token_id}", None
)
stream_combat: Operation[None] = Operation(
    "streamCombat", "GET", "/v1/combats/{combat}/stream", None
)
issue_ticket: Operation[shapes.Ticket] = Operation(
    "issueTicket", "POST", "/v1/combats/{combat}/tickets", shapes.Ticket
)
list_webhooks: Operation[shapes.WebhookList] = Operation(
    "listWebhooks", "GET", "/v1/combats/{combat}/webhooks", shapes.WebhookList
)
register_webhook: Operation[shapes.RegisteredWebhook] = Operation(
    "registerWebhook",
    "POST",
    "/v1/combats/{combat}/webhooks",
    shapes.RegisteredWebhook,
    media="application/json",
    keyed=True,
)
change_webhook: Operation[shapes.WebhookLine] = Operation(
    "changeWebhook",
    "PATCH",
    "/v1/combats/{combat}/webhooks/{webhook}",
    shapes.WebhookLine,
    media="application/json",
)
remove_webhook: Operation[None] = Operation(
    "removeWebhook", "DELETE", "/v1/combats/{combat}/webhooks/{webhook}", None
)
ping_webhook: Operation[shapes.Delivered] = Operation(
    "pingWebhook", "POST", "/v1/combats/{combat}/webhooks/{webhook}/ping", shapes.Delivered
)
list_deliveries: Operation[shapes.DeliveryList] = Operation(
    "listDeliveries",
    "GET",
    "/v1/combats/{combat}/webhooks/{webhook}/deliveries",
    shapes.DeliveryList,
)
replay_webhook: Operation[shapes.WebhookLine] = Operation(
    "replayWebhook",
    "POST",
    "/v1/combats/{combat}/webhooks/{webhook}/replay",
    shapes.WebhookLine,
    media="application/json",
    keyed=True,
)
rotate_webhook_secret: Operation[shapes.RotatedSecret] = Operation(
    "rotateWebhookSecret",
    "POST",
    "/v1/combats/{combat}/webhooks/{webhook}/secret",
    shapes.RotatedSecret,
    media="application/json",
    keyed=True,
)
read_liveness: Operation[shapes.Health] = Operation(
    "readLiveness", "GET", "/health/live", shapes.Health
)
read_readiness: Operation[shapes.Health] = Operation(
    "readReadiness", "GET", "/health/ready", shapes.Health
)
read_metrics: Operation[None] = Operation("readMetrics", "GET", "/metrics", None)
