import type { Figure, Figures } from './figures.ts'

/** Limits of one module or resource, with the reasons of those that were raised: by figure, or `all` of a new one. */
export type Limits = Readonly<Record<string, number | Readonly<Record<string, string>>>>

/** The record `limits.json`: limits by module or resource. */
export type LimitTable = Readonly<Record<string, Limits>>

/** The measures behind the figures of a module or resource. */
export type FiguresOf = (subject: string) => Readonly<Record<string, Figure>>

/** Returns a sentence for every figure that is beyond its limit, and for every limit that stands far from its figure. */
export function findFaults(
  limits: LimitTable,
  measured: Readonly<Record<string, Figures>>,
  known: FiguresOf,
): readonly string[] {
  const gone = Object.keys(limits).filter((subject) => measured[subject] === undefined)
  return [
    ...Object.entries(measured).flatMap(([subject, figures]) =>
      Object.entries(known(subject)).flatMap(([key, figure]) =>
        faultOf(subject, figure, figures[key] ?? 0, limitOf(limits[subject], key, figure)),
      ),
    ),
    ...gone.map((subject) => `${subject} is gone and its limits are not: ${commands.lower}`),
  ]
}

/**
 * Returns a sentence for every limit that is looser than in an earlier record and says no reason that the earlier one did not say.
 * A record from before there were any holds nobody to anything.
 */
export function findRaises(now: LimitTable, before: LimitTable, known: FiguresOf): readonly string[] {
  return Object.entries(now).flatMap(([subject, limits]) => {
    const former = before[subject]
    if (former === undefined) return hasReason(limits, {}, 'all') ? [] : [`${subject} is new: ${asks}`]
    return Object.entries(known(subject)).flatMap(([key, figure]) => {
      const [limit, earlier] = [limitOf(limits, key, figure), limitOf(former, key, figure)]
      const isRaised = figure.isLowerBound ? limit < earlier : limit > earlier
      return isRaised && !hasReason(limits, former, key)
        ? [`${subject}: ${figure.name} go from ${text(earlier)} to ${text(limit)}: ${asks}`]
        : []
    })
  })
}

/**
 * Returns the limits that fit the figures: those that hold stay as they are, those that stand far from their figure follow it, and with a
 * reason those that are exceeded too.
 */
export function fitLimits(
  limits: LimitTable,
  measured: Readonly<Record<string, Figures>>,
  known: FiguresOf,
  why?: string,
): LimitTable {
  const isFirst = Object.keys(limits).length === 0
  return Object.fromEntries(
    Object.entries(measured).flatMap(([subject, figures]) => {
      const present = limits[subject]
      if (present === undefined && !isFirst && why === undefined) return []
      const reason = present === undefined ? undefined : why
      const fitted = fitOne(present ?? {}, figures, known(subject), reason, present === undefined)
      const withReason = present === undefined && why !== undefined && !isFirst
      return [[subject, withReason ? { ...fitted, why: { all: why } } : fitted] as const]
    }),
  )
}

function fitOne(
  present: Limits,
  figures: Figures,
  known: Readonly<Record<string, Figure>>,
  why: string | undefined,
  isNew: boolean,
): Limits {
  const reasons: Record<string, string> = { ...reasonsOf(present) }
  const fitted = Object.entries(known).map(([key, figure]) => {
    const value = figures[key] ?? 0
    const limit = limitOf(present, key, figure)
    const isOver = isBeyond(figure, value, limit)
    if (!isNew && isOver ? why === undefined : !isNew && !isFar(figure, value, limit))
      return [key, limit] as const
    const next = limitFor(figure, value)
    if (isOver && why !== undefined) reasons[key] = `${text(limit)} → ${text(next)}: ${why}`
    else delete reasons[key]
    return [key, next] as const
  })
  const limits = Object.fromEntries(fitted.filter(([key, limit]) => limit !== (known[key]?.floor ?? 0)))
  return Object.keys(reasons).length === 0 ? limits : { ...limits, why: reasons }
}

/** Returns the limit that a value gets when it is recorded: itself, or the next round figure that leaves half a step of room. */
function limitFor(figure: Figure, value: number): number {
  const { floor = 0, isLowerBound } = figure
  if (figure.roundedBy === undefined) return Math.max(value, floor)
  const step = stepOf(figure, value)
  const rounded = isLowerBound
    ? Math.max(0, Math.floor((value - step / 2) / step) * step)
    : Math.ceil((value + step / 2) / step) * step
  return Math.max(Math.round(rounded * 100) / 100, floor)
}

const commands = {
  lower: '`npm run stats -- --write` lowers the limits',
  raise: 'make it smaller, or `npm run stats -- --write --why "…"` raises the limit',
} as const
const asks = 'it needs a `why` beside it in scripts/stats/limits.json, in the same commit'

function faultOf(subject: string, figure: Figure, value: number, limit: number): readonly string[] {
  const sentence = `${subject}: ${text(value)} ${figure.name}`
  if (isBeyond(figure, value, limit)) {
    const relation = figure.isLowerBound ? 'are below the bound of' : 'are over the limit of'
    return [`${sentence} ${relation} ${text(limit)}: ${commands.raise}`]
  }
  return isFar(figure, value, limit)
    ? [`${sentence}, and the limit is ${text(limit)}: ${commands.lower}`]
    : []
}

function isBeyond({ isLowerBound }: Figure, value: number, limit: number): boolean {
  return isLowerBound ? value < limit : value > limit
}

/** Says whether a limit has room for a growth that nobody gives a reason for: more than three steps, or a tenth of an exact one. */
function isFar(figure: Figure, value: number, limit: number): boolean {
  const room = figure.isLowerBound ? value - limit : limit - Math.max(value, figure.floor ?? 0)
  if (figure.roundedBy !== undefined) return room > 3 * stepOf(figure, value)
  return room > Math.max(5, limit / 10)
}

/** Returns a step of 1, 2 or 5 tens that is near the share of the value. */
function stepOf({ roundedBy = 0, step: minStep = 1 }: Figure, value: number): number {
  const ideal = Math.max(value * roundedBy, minStep)
  const ten = 10 ** Math.floor(Math.log10(ideal))
  const step = [5, 2, 1].map((factor) => factor * ten).find((each) => each <= ideal * 1.001) ?? ten
  return Math.max(step, minStep)
}

function limitOf(limits: Limits | undefined, key: string, { floor = 0 }: Figure): number {
  const limit = limits?.[key]
  return typeof limit === 'number' ? limit : floor
}

function reasonsOf(limits: Limits | undefined): Readonly<Record<string, string>> {
  const reasons = limits?.['why']
  return typeof reasons === 'object' ? reasons : {}
}

function hasReason(limits: Limits, before: Limits, key: string): boolean {
  const reason = reasonsOf(limits)[key]
  return reason !== undefined && reason.trim().length >= 10 && reason !== reasonsOf(before)[key]
}

function text(value: number): string {
  return value.toLocaleString('en')
}
