/** A file of an export: the rows of a table as JSON lines, a member for each column. */
export interface OpenTable {
  readonly table: string
  /** A table with one row for each of these, by the same id, whose columns go along. */
  readonly joined?: string
  /** The file, without its ending. */
  readonly file: string
  /** Description of its content, for readers elsewhere. */
  readonly what: string
}

/** Tables of an export, in the order of its list of files. */
export const openTables: readonly OpenTable[] = [
  { table: 'users', joined: 'user_accounts', file: 'users', what: 'accounts with balance and use' },
  { table: 'tokens', joined: 'token_accounts', file: 'keys', what: 'API keys with budget and use' },
  { table: 'channels', joined: 'channel_accounts', file: 'channels', what: 'upstream channels' },
  { table: 'options', file: 'options', what: 'settings that differ from the defaults; prices among them' },
  { table: 'redemptions', file: 'redemption-codes', what: 'codes, used and unused' },
  {
    table: 'top_up_orders',
    file: 'orders',
    what: 'payments; money_minor is in the smallest unit of the currency',
  },
  {
    table: 'ledger_entries',
    file: 'ledger',
    what: 'every change of a balance but charges; with those they add up to the balances',
  },
  { table: 'ledger_charges', file: 'charges', what: 'charges, an hour and account a line' },
  {
    table: 'unlogged_charges',
    file: 'charges-without-log',
    what: 'those among them that have no line in the log',
  },
  {
    table: 'cleared_charges',
    file: 'charges-cleared-log',
    what: 'what lines that were cleared from the log add up to, an hour and account a line',
  },
  {
    table: 'corrections',
    file: 'corrections',
    what: 'corrections of charges that were made at a wrong price; the charges have them',
  },
  {
    table: 'correction_sums',
    file: 'corrections-by-hour',
    what: 'what each correction changed, an hour, user, key, model and channel a line',
  },
  {
    table: 'corrected_charges',
    file: 'corrections-by-call',
    what: 'what each correction changed of a call; log_id is the id in the log',
  },
  {
    table: 'goodwill_credits',
    file: 'goodwill',
    what: 'credits that administrators gave for a charge',
  },
  { table: 'holds', file: 'holds', what: 'charges taken in advance for tasks that run' },
  {
    table: 'held_invitation_shares',
    file: 'held-gifts',
    what: 'gifts for invitations that are not given yet',
  },
  { table: 'merged_accounts', file: 'merged-accounts', what: 'accounts that were merged into another one' },
  { table: 'logs', file: 'log', what: 'the usage log, a call a line' },
  { table: 'usage_hourly', file: 'usage', what: 'the usage log summed up, an hour, user and model a line' },
  { table: 'imported_usage', file: 'usage-imported', what: 'usage that came from another gateway' },
  { table: 'tasks', file: 'tasks', what: 'images, music and videos that were made' },
  { table: 'audit_log', file: 'audit-log', what: 'what administrators and the gateway did' },
  { table: 'security_events', file: 'security-events', what: 'log-ins and changes of what opens an account' },
]

/** Tables of which an export has nothing, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  access_tokens: 'open the console of this gateway alone',
  attempt_counts: 'counts for the health of channels',
  attempt_quarters: 'counts for the health of channels',
  balance_shares: 'what nodes that run hold of balances',
  channel_key_switches: 'when this gateway switches keys of its channels off and on',
  channel_outcomes: 'when a channel last worked here',
  channel_switches: 'when this gateway switches its channels off and on',
  charge_links: 'links to charges, which this gateway alone opens',
  charge_quarters: 'which part of an hour of the charges belongs to its later quarters',
  console_views: 'who sees the console as whom, for half an hour',
  database_identity: 'names this database',
  failed_calls: 'requests that people let the operator replay here',
  failures_by_channel: 'counts for the health of channels',
  former_keys: 'keyed hashes of keys that were replaced, of no use elsewhere',
  imported_rows: 'which rows came from another gateway',
  incidents: 'problems that this gateway met',
  journal_findings: 'what was found in the journals of nodes',
  journal_positions: 'which calls of the journals of nodes the database has',
  journal_spans: 'the same, by starts of nodes',
  known_identities: 'keyed hashes that keep a sign-up gift from being given twice here',
  leases: 'which node runs which job',
  log_block_parts: 'the index of the log',
  log_blocks: 'the index of the log',
  log_clearing: 'up to when the log was cleared',
  log_span_parts: 'the index of the log',
  log_spans: 'the index of the log',
  log_terms: 'the index of the log',
  one_time_secrets: 'codes that end within minutes',
  open_quarters: 'which quarters of the running hour are counted',
  passkeys: 'are bound to the address of this console',
  public_incidents: 'what the status page of this gateway says',
  quarter_sums: 'since when quarters are counted',
  quota_warnings: 'who was warned of a low balance',
  recovery_codes: 'keyed hashes, of no use elsewhere',
  second_factors: 'secrets of people, who set one up at the other side',
  sessions: 'log-ins of this console',
  setups: 'when this gateway was set up',
  spend_sums: 'what users spent in some times, which its hours say',
  stored_response_items: 'conversations of callers, for some hours',
  stored_responses: 'conversations of callers, for some hours',
  token_addresses: 'from where keys were used here, for thirty days',
  usage_by_model: 'sums of the usage by model',
  usage_by_model_quarters: 'which part of an hour of these belongs to its later quarters',
  usage_exports: 'how far the log was sent to other systems',
  usage_quarters: 'which part of an hour of the usage belongs to its later quarters',
}
