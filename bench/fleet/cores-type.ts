import type { Costs, LoadCosts } from './costs-type.ts'

/** Measured workers of one machine. */
export interface Cores {
  /** Day of the measurement. */
  readonly measured: string
  /** The part of a core that each worker of `machines` had. */
  readonly share: number
  readonly machines: readonly MachineCosts[]
}

/** A machine of so many workers, each on a small part of a core. */
export interface MachineCosts {
  readonly workers: number
  readonly load: LoadCosts
  /** Calls for a second of the workers' processor time, that of idle ones included: other work on the machine changes it less. */
  readonly perProcessorSecond: number
  /** Rates of as many gateways, each with the same part of a core, that have nothing in common but their PostgreSQL server. */
  readonly apart: { readonly perSecond: number; readonly perProcessorSecond: number }
  /** Costs of one worker in one second without calls. */
  readonly idle: Costs['idle'] & {
    /** Times that a thread of the worker woke up. */
    readonly wakeups: number
  }
  /** Processor time of the supervisor in one second without calls and under load, in ms. */
  readonly supervisorMs: { readonly idle: number; readonly loaded: number }
  /** Processor time of a changed option, in µs: of all workers together, and of PostgreSQL. */
  readonly change: { readonly workersUs: number; readonly databaseUs: number }
  /** Time that a scrape of the metrics of all workers takes, and the processor time of all processes for it, in ms. */
  readonly scrape: { readonly tookMs: number; readonly usedMs: number }
}
