import { type CountedOutcome, countedOutcomes } from '@tollgate/api'
import type { Usage } from '@tollgate/formats'
import { pricedName } from '../../billing/pricing/price-table.ts'
import type { AttemptRecord, ModelRequest, RelayCall } from '../../gateway/relay/call.ts'
import type { CallEnd, CallObserver } from '../../gateway/relay/observe.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'
import { Histogram } from './histogram.ts'

/** The label of whatever is beyond the bound on different values. */
export const otherLabel = 'other'

/** Bounds on label values: beyond them values count as `other`, so that sums hold and a scrape stays small. */
const max = { models: 200, channelModels: 2000, codes: 200 } as const

/** Milliseconds: from a cached answer to a long chain of reasoning. */
const durationBounds = [
  50, 100, 250, 500, 1000, 2500, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000, 600_000,
]
const startBounds = [25, 50, 100, 250, 500, 1000, 2000, 3000, 5000, 10_000, 20_000, 60_000, 120_000]

/** Calls of one model. */
export interface ModelCell {
  /** Counts by the index of the outcome. */
  readonly calls: number[]
  readonly duration: Histogram
  /** Times to the first token of streams. */
  readonly firstToken: Histogram
}

export const tokenTypes = ['input', 'cache_read', 'cache_write', 'output', 'reasoning'] as const

/** Attempts at one channel for one model, and what was charged for them. */
export interface ChannelModelCell {
  readonly attempts: Map<AttemptRecord['kind'], number>
  /** Times from the request to the first event, or the failure. */
  readonly start: Histogram
  /** Counts by the index of the type. */
  readonly tokens: number[]
  quota: number
  /** Attempts that another one followed, because they failed. */
  failovers: number
}

/**
 * Counts calls while the process lives: a handful of additions in two small cells per call, however many there were. Values of
 * labels are names of models and ids of channels, never who called.
 */
export class CallMeter implements CallObserver {
  readonly models = new Map<string, ModelCell>()
  /** Cells by channel, then model. */
  readonly channelModels = new Map<string, Map<string, ChannelModelCell>>()
  /** Errors by their code. */
  readonly errors = new Map<string, number>()
  /** Refusals by the limit. */
  readonly limits = new Map<string, number>()
  #cellCount = 0
  readonly #knowsModel: (model: string) => boolean
  readonly #counted = new WeakSet<RelayError>()

  /** @param knowsModel whether a channel lists the model; names that callers make up are no labels */
  constructor(knowsModel: (model: string) => boolean) {
    this.#knowsModel = knowsModel
  }

  ended(call: RelayCall<ModelRequest>, end: CallEnd): void {
    const { attempts } = call.trace
    const model = pricedName(call.request.model)
    this.#countAttempts(attempts, model, end)
    if (end.isRepeated) return
    const cell = this.models.get(model) ?? this.#openModel(model, attempts.length > 0)
    const index = outcomeIndex[end.outcome]
    cell.calls[index] = (cell.calls[index] ?? 0) + 1
    cell.duration.add(end.doneMs)
    if (call.request.stream && call.trace.firstTokenMs > 0) cell.firstToken.add(call.trace.firstTokenMs)
    if (end.why !== undefined) this.#countError(end.why)
  }

  /** A request that ended in an error, and perhaps never became a call. */
  refused(error: RelayError): void {
    if (!this.#counted.has(error)) this.#countError(error)
  }

  limitHit(limit: string): void {
    this.limits.set(limit, (this.limits.get(limit) ?? 0) + 1)
  }

  /** Counts a charge without a call of its own: a task that has ended. */
  charged(channelId: number, model: string, quota: number): void {
    this.#cellOf(String(channelId), pricedName(model)).quota += quota
  }

  #countAttempts(attempts: readonly AttemptRecord[], model: string, end: CallEnd): void {
    const last = attempts.length - 1
    for (let index = 0; index <= last; index += 1) {
      const attempt = attempts[index]
      if (attempt === undefined) continue
      const cell = this.#cellOf(channelLabel(attempt.channel), model)
      if (index === last) addCharge(cell, end)
      if (end.isRepeated) continue
      cell.attempts.set(attempt.kind, (cell.attempts.get(attempt.kind) ?? 0) + 1)
      cell.start.add(attempt.ms)
      if (index < last) cell.failovers += 1
    }
  }

  #countError(why: NonNullable<CallEnd['why']>): void {
    const isError = why instanceof RelayError
    if (isError) this.#counted.add(why)
    const code = isError ? why.code : why
    const isFull = this.errors.size >= max.codes && !this.errors.has(code)
    const label = isFull ? otherLabel : code
    this.errors.set(label, (this.errors.get(label) ?? 0) + 1)
  }

  #openModel(name: string, wasTried: boolean): ModelCell {
    const isLabel = this.models.size < max.models && (wasTried || this.#knowsModel(name))
    const label = isLabel ? name : otherLabel
    const known = this.models.get(label)
    if (known !== undefined) return known
    const cell: ModelCell = {
      calls: countedOutcomes.map(() => 0),
      duration: new Histogram(durationBounds),
      firstToken: new Histogram(startBounds),
    }
    this.models.set(label, cell)
    return cell
  }

  #cellOf(channel: string, model: string): ChannelModelCell {
    return this.channelModels.get(channel)?.get(model) ?? this.#openCell(channel, model)
  }

  #openCell(channel: string, model: string): ChannelModelCell {
    const isOther = channel === otherLabel
    if (this.#cellCount >= max.channelModels && !isOther) return this.#cellOf(otherLabel, otherLabel)
    this.#cellCount += 1
    const cell: ChannelModelCell = {
      attempts: new Map(),
      start: new Histogram(startBounds),
      tokens: tokenTypes.map(() => 0),
      quota: 0,
      failovers: 0,
    }
    const models = this.channelModels.get(channel)
    if (models === undefined) this.channelModels.set(channel, new Map([[model, cell]]))
    else models.set(model, cell)
    return cell
  }
}

export const callBounds = { duration: durationBounds, start: startBounds }

const outcomeIndex = Object.fromEntries(countedOutcomes.map((outcome, index) => [outcome, index])) as Record<
  CountedOutcome,
  number
>

/** Texts of ids, which every call needs. */
const channelLabels: string[] = []

function channelLabel(id: number): string {
  const known = channelLabels[id]
  if (known !== undefined) return known
  const label = String(id)
  if (id < 10_000) channelLabels[id] = label
  return label
}

function addCharge(cell: ChannelModelCell, { usage, quota }: CallEnd): void {
  cell.quota += quota
  if (usage !== undefined) addTokens(cell.tokens, usage)
}

/** Adds tokens in the order of `tokenTypes`. */
function addTokens(tokens: number[], usage: Usage): void {
  tokens[0] = (tokens[0] ?? 0) + usage.inputTokens
  tokens[1] = (tokens[1] ?? 0) + usage.cacheReadTokens
  tokens[2] = (tokens[2] ?? 0) + usage.cacheWriteTokens + usage.cacheWrite1hTokens
  tokens[3] = (tokens[3] ?? 0) + usage.outputTokens
  tokens[4] = (tokens[4] ?? 0) + usage.reasoningTokens
}
