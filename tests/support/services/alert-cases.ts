/** A world in which an alert must fire: series of a node, with other values than it exposed. */
export interface AlertCase {
  /** Values by name and labels: all series of the node that have these labels. */
  readonly series: Readonly<Record<string, string>>
  readonly at: string
  /** Distance of two values; a minute unless given. */
  readonly interval?: '1h'
}

const forHours = (series: AlertCase['series'], at: string): AlertCase => ({ series, at, interval: '1h' })

/** One for each alert rule, in promtool's notation of values. */
export const alertCases: Readonly<Record<string, AlertCase>> = {
  TollgateDown: { series: { up: '0x10' }, at: '5m' },
  TollgateRefusesCalls: { series: { tollgate_admitting: '0x10' }, at: '5m' },
  TollgateFailures: { series: { 'tollgate_calls_total{outcome="upstream"}': '0+100x40' }, at: '30m' },
  TollgateGatewayFaults: { series: { 'tollgate_calls_total{outcome="gateway"}': '0+2x40' }, at: '20m' },
  TollgateSlowFirstToken: {
    series: {
      'tollgate_first_token_seconds_bucket{le="20"}': '0x60',
      'tollgate_first_token_seconds_bucket{le="60"}': '0+10x60',
      'tollgate_first_token_seconds_bucket{le="+Inf"}': '0+10x60',
    },
    at: '40m',
  },
  TollgateChannelBreakerOpen: { series: { tollgate_channel_breaker_state: '2x30' }, at: '20m' },
  TollgateChannelsDisabled: { series: { 'tollgate_channels{status="auto-disabled"}': '1x60' }, at: '40m' },
  TollgateChannelFails: { series: { 'tollgate_attempts_total{kind="overloaded"}': '0+10x60' }, at: '40m' },
  TollgateFailovers: {
    series: { tollgate_failovers_total: '0+30x60', 'tollgate_attempts_total{kind="ok"}': '0+60x60' },
    at: '40m',
  },
  TollgateLimitsHit: { series: { tollgate_limit_hits_total: '0+120x60' }, at: '40m' },
  TollgateDiskFull: { series: { tollgate_disk_free_bytes: '1e8x10' }, at: '5m' },
  TollgateDiskFillsUp: { series: { tollgate_disk_free_bytes: '4e9-5e6x420' }, at: '7h' },
  TollgateJournalGrows: { series: { tollgate_journal_lag_calls: '2000+100x40' }, at: '30m' },
  TollgateJournalLarge: { series: { tollgate_journal_bytes: '5e9x10' }, at: '8m' },
  TollgateDatabaseSparse: forHours(
    { tollgate_database_free_bytes: '6e9x10', tollgate_database_size_bytes: '1e10x10' },
    '8h',
  ),
  TollgateDatabaseDamaged: { series: { tollgate_database_damaged: '1x5' }, at: '2m' },
  TollgateCallsLost: { series: { tollgate_journal_lost_calls: '3x5' }, at: '2m' },
  TollgateBackupMissing: forHours({ tollgate_last_backup_timestamp_seconds: '0x30' }, '26h'),
  TollgateBackupOld: forHours({ tollgate_last_backup_timestamp_seconds: '60x60' }, '52h'),
  TollgateCertificateEnds: forHours({ tollgate_certificate_end_timestamp_seconds: '864000x10' }, '3h'),
  TollgateKeysEnd: forHours({ tollgate_keys_ending: '2x10' }, '3h'),
  TollgateClockWrong: { series: { tollgate_clock_trusted: '0x10' }, at: '3m' },
  TollgateClockDrifts: { series: { tollgate_clock_ahead_seconds: '-45x20' }, at: '10m' },
  TollgateDatabaseTakesNoCharges: { series: { tollgate_flush_healthy: '0x10' }, at: '5m' },
  TollgateJournalLag: { series: { tollgate_flush_queue_calls: '200000x20' }, at: '10m' },
  TollgateLeaseLost: { series: { tollgate_ledger_lease: '0x10' }, at: '3m' },
  TollgateUpstreamBalanceLow: { series: { tollgate_channel_balance: '0.5x40' }, at: '30m' },
  TollgateUpstreamBalanceUnknown: forHours({ tollgate_channel_balance_timestamp_seconds: '60x60' }, '52h'),
  TollgateUpstreamOutOfCredit: { series: { 'tollgate_attempts_total{kind="quota"}': '_x5 1x10' }, at: '8m' },
  TollgateUpstreamPriceChanged: forHours(
    {
      // A unit a day of cost; the balance falls by one a day for three days, then by two.
      tollgate_channel_balance: '100-0.0416x72 97-0.0833x40',
      tollgate_day_cost_quota: '500000x120',
      tollgate_quota_per_unit: '500000x120',
    },
    '100h',
  ),
  TollgateMarginNegative: forHours(
    { tollgate_day_cost_quota: '900x10', tollgate_day_charged_quota: '800x10' },
    '3h',
  ),
  TollgateCallersWithoutBalance: {
    series: { 'tollgate_errors_total{code="insufficient_token_quota"}': '0+10x90' },
    at: '60m',
  },
  TollgateEventLoopLate: {
    series: { 'tollgate_event_loop_delay_seconds{percentile="99"}': '0.5x30' },
    at: '20m',
  },
  TollgateMemory: { series: { process_resident_memory_bytes: '2e9x30' }, at: '20m' },
  TollgateDescriptors: { series: { process_open_fds: '950x20', process_max_fds: '1000x20' }, at: '10m' },
  TollgateTasksPileUp: { series: { 'tollgate_tasks_open{platform="suno"}': '6000x60' }, at: '40m' },
  TollgateUsageExportFails: { series: { tollgate_usage_export_failures_total: '0+1x60' }, at: '45m' },
}

/** Labels that Prometheus itself adds to every target. */
const targetLabels = 'instance="node:9464",job="tollgate"'
const maxValues = 800

interface Sample {
  readonly name: string
  /** Labels as in the scrape: `a="b",c="d"`; empty without any. */
  readonly labels: string
  readonly value: string
}

/** Delay that a busy machine causes, as the alert rightly says: a node with nothing wrong has it at 0. */
const ofMachine = 'tollgate_event_loop_delay_seconds'

/** The samples of a scrape. */
function samplesOf(scrape: string): readonly Sample[] {
  return scrape.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name === undefined || value === undefined) return []
    return [{ name, labels, value: name === ofMachine ? '0' : value }]
  })
}

/**
 * Tests for promtool: in the world of the scrape no alert fires that says something is wrong, and each alert fires in its own.
 * @param rules the text of the alert rules
 * @returns the file's content, by the distance of values
 * @throws for a series of a case that the node did not expose
 */
export function alertTests(scrape: string, rules: string, rulesFile: string) {
  const used = samplesOf(scrape).filter(({ name }) => rules.includes(name))
  const families = new Set([...scrape.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const cases = Object.entries(alertCases).map(([alertname, { series, at, interval = '1m' }]) => ({
    interval,
    test: {
      interval,
      name: alertname,
      input_series: seriesOf(used, series, families),
      promql_expr_test: [
        {
          expr: `clamp_max(count(ALERTS{alertname="${alertname}",alertstate="firing"}), 1)`,
          eval_time: at,
          exp_samples: [{ labels: '{}', value: 1 }],
        },
      ],
    },
  }))
  const healthy = {
    // A value that is older than five minutes is none.
    interval: '4m',
    name: 'a node at work',
    // The disk of whoever runs the suite may be full.
    input_series: seriesOf(used, { tollgate_disk_free_bytes: `1e12x${maxValues}` }, families),
    promql_expr_test: ['60m', '50h'].map((at) => ({
      expr: 'ALERTS{alertstate="firing"}',
      eval_time: at,
      exp_samples: [],
    })),
  }
  return (['1m', '1h'] as const).map((interval) => ({
    rule_files: [rulesFile],
    evaluation_interval: interval,
    // Prometheus evaluates groups side by side; here those come later that read what another records at the same moment.
    group_eval_order: [...rules.matchAll(/- name: (\S+)/g)].map(([, name]) => name),
    tests: [
      ...cases.filter((of) => of.interval === interval).map(({ test }) => test),
      ...(interval === '1h' ? [healthy] : []),
    ],
  }))
}

function seriesOf(
  used: readonly Sample[],
  changes: AlertCase['series'],
  families: ReadonlySet<string | undefined>,
) {
  const changed = Object.entries(changes).map(([text, values]) => {
    const [, name = '', labels = ''] = /^([a-z_]+)(?:\{(.*)\})?$/.exec(text) ?? []
    return { name, labels, values }
  })
  const found = new Set<string>()
  const exposed = used.map(({ name, labels, value }) => {
    const change = changed.find((of) => of.name === name && labels.includes(of.labels))
    if (change !== undefined) found.add(`${change.name}{${change.labels}}`)
    return { series: written(name, labels), values: change?.values ?? `${value}x${maxValues}` }
  })
  // What happens seldom has no series yet, but its family is exposed; whether a target is up is Prometheus' own series.
  const added = changed.filter(({ name, labels }) => !found.has(`${name}{${labels}}`))
  for (const { name } of added)
    if (name !== 'up' && !families.has(name.replace(/_bucket$/, '')))
      throw new Error(`the node exposes no ${name}`)
  const up = { name: 'up', labels: '', values: `1x${maxValues}` }
  const others = added.some(({ name }) => name === 'up') ? added : [...added, up]
  return [
    ...exposed,
    ...others.map(({ name, labels, values }) => ({ series: written(name, labels), values })),
  ]
}

function written(name: string, labels: string): string {
  return `${name}{${targetLabels}${labels === '' ? '' : `,${labels}`}}`
}
