import type {
  CallsOfWeek,
  GroupUsage,
  LogHistogram,
  MarginKind,
  MarginRow,
  OwnUsageSummary,
  SpendTable,
  UsageRow,
  UsageSummary,
} from '@tollgate/api'

/**
 * What a figure counts: `calls` are what callers received, `charges` those of them that were charged, `attempts` are tries at channels,
 * of which a call may have several: they belong to channels, and only administrators see them.
 */
export type Population = 'calls' | 'charges' | 'attempts'

/** The rows of the log that a figure counts, as a part of that page's address. */
export interface LogLink {
  readonly range: 'custom'
  readonly from: number
  readonly to?: number
  readonly type?: number
  readonly model?: string
  /** The number of a key. */
  readonly key?: number
  readonly user?: string
  readonly group?: string
  /** Which served the calls, or was tried last. */
  readonly channel?: number
  /** Which the calls tried. */
  readonly tried?: number
  readonly rescued?: true
}

/** A figure's value, and the log's rows that it counts or sums up; no link where an address cannot name them. */
export interface Counted {
  readonly value: number
  readonly link: LogLink | undefined
}

/** First and last second. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Figures of a summary that versions before had too; a node that runs beside a newer one may lack the others. */
type OldFigures = 'today' | 'week' | 'top_models'

/** A summary as some node has it: what it lacks is unknown. */
export type KnownSummary = Pick<OwnUsageSummary, OldFigures> & Partial<Omit<UsageSummary, OldFigures>>

/** What pages draw figures from. */
export interface Feeds {
  readonly summary: KnownSummary
  readonly usage: Range & {
    readonly rows: readonly UsageRow[]
    readonly granularity: 'hour' | 'day' | 'week'
    readonly user?: string | undefined
  }
  readonly recent: Range & { readonly histogram: LogHistogram; readonly user?: string | undefined }
  readonly spend: Range & { readonly table: Pick<SpendTable, 'models' | 'rows'> }
  readonly margin: Range & { readonly by: MarginKind; readonly rows: readonly MarginRow[] }
  readonly groups: readonly GroupUsage[]
  readonly ended: { readonly calls: CallsOfWeek; readonly user?: string; readonly key?: number }
}

/** A figure that leads to its rows. The page's link and the test of it follow from here. */
export interface Figure<Feed extends keyof Feeds, Item> {
  /** Where it stands. */
  readonly page: string
  readonly population: Population
  readonly readers: 'everybody' | 'administrators'
  readonly feed: Feed
  /** Whether it counts the rows of its link, or sums up what they cost. */
  readonly measure: 'rows' | 'quota'
  /** Everything that has such a figure. */
  items(data: Feeds[Feed]): readonly Item[]
  of(item: Item, data: Feeds[Feed]): Counted
}
