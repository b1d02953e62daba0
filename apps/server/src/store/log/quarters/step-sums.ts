import type { Quota, Seconds } from '../../units.ts'
import { hourOf } from '../rows/charge-sums.ts'
import { type Stretch, stepOf } from './split-hours.ts'

/** Calls of one model within one step. */
export interface UsageBucket {
  /** Start of the step. */
  readonly at: Seconds
  readonly model: string
  readonly count: number
  readonly quota: Quota
  readonly tokens: number
}

type Mutable = { -readonly [Name in keyof UsageBucket]: UsageBucket[Name] }

/**
 * Sums by step and model. Done here because rows come in the order of time: a database would sort them again to group them, which
 * takes twice as long.
 */
export class StepSums {
  readonly #stretch: Stretch
  readonly #steps = new Map<number, Map<string, Mutable>>()
  /** The time of the last row, and its step: the next row mostly has the same. */
  #lastAt = Number.NaN
  #lastStep = new Map<string, Mutable>()

  constructor(stretch: Stretch) {
    this.#stretch = stretch
  }

  /** Counts a row of the hourly table at its beginning. */
  addHour(row: UsageBucket): void {
    if (row.at !== this.#lastAt) {
      this.#lastAt = row.at
      this.#lastStep = this.#modelsOf(stepOf(this.#stretch, row.at))
    }
    this.#add(this.#lastStep, row, 1)
  }

  /** Counts what of an hour belongs to a later quarter there, and no longer where the hour begins. */
  moveQuarter(row: UsageBucket): void {
    const [there, here] = [row.at, hourOf(row.at)].map((at) => stepOf(this.#stretch, at))
    if (there === here) return
    if (there !== undefined && there >= 0) this.#add(this.#modelsOf(there), row, 1)
    if (here !== undefined && here >= 0) this.#add(this.#modelsOf(here), row, -1)
  }

  /** Returns the buckets in the order of time and of models. */
  buckets(): UsageBucket[] {
    return [...this.#steps]
      .sort(([a], [b]) => a - b)
      .flatMap(([index, models]) => this.#bucketsOf(this.#stretch.starts[index] ?? 0, models))
  }

  #modelsOf(step: number): Map<string, Mutable> {
    const known = this.#steps.get(step)
    if (known !== undefined) return known
    const models = new Map<string, Mutable>()
    this.#steps.set(step, models)
    return models
  }

  #add(models: Map<string, Mutable>, { at, model, count, quota, tokens }: UsageBucket, sign: 1 | -1): void {
    const sum = models.get(model)
    if (sum === undefined) {
      models.set(model, { at, model, count: sign * count, quota: sign * quota, tokens: sign * tokens })
      return
    }
    sum.count += sign * count
    sum.quota += sign * quota
    sum.tokens += sign * tokens
  }

  #bucketsOf(at: Seconds, models: ReadonlyMap<string, UsageBucket>): UsageBucket[] {
    return [...models.values()]
      .filter(({ count, quota, tokens }) => count !== 0 || quota !== 0 || tokens !== 0)
      .map((bucket) => ({ ...bucket, at }))
      .sort((a, b) => (a.model < b.model ? -1 : 1))
  }
}
