import { createHash } from 'node:crypto'
import type { CorrectionPreview, CorrectionSelection } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { unixSeconds } from '@tollgate/base'
import { whileHolding } from '../../fleet/while-holding.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import type { LeaseRepository } from '../../store/fleet/leases.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import type { CorrectedCharge, Correction } from '../../store/money/corrections.ts'
import type { Page, PageOf } from '../../store/queries.ts'
import { CorrectionRun, type RunDependencies } from './correction-run.ts'
import { rightTerms } from './right-terms.ts'
import { scanCalls } from './scan.ts'
import { select } from './selection.ts'
import { type ChargeTotal, CorrectionTotals } from './totals.ts'

interface Dependencies extends RunDependencies {
  readonly settings: { readonly current: SettingValues }
  /** Log rows, with every call that has ended. */
  readonly usage: Pick<UsageRepository, 'batch'>
  readonly node: string
  readonly leases: Pick<LeaseRepository, 'take' | 'give'>
}

/** A correction as it is asked for. */
export interface CorrectionOrder extends CorrectionSelection {
  readonly reason: string
  readonly confirmation: string
}

export interface CorrectionProgress {
  readonly running: boolean
  /** Calls that were worked out again. */
  readonly calls: number
  /** Users whose money has moved. */
  readonly users: number
}

/** More are not held in memory at a time: a longer span is corrected in parts. */
const maxCalls = 5_000_000
const maxListedUsers = 100

/** Corrects charges that were made at a wrong price. One correction at a time, over all nodes. */
export class Corrections {
  readonly #deps: Dependencies
  readonly #run: CorrectionRun
  #progress: CorrectionProgress = { running: false, calls: 0, users: 0 }

  constructor(deps: Dependencies) {
    this.#deps = deps
    this.#run = new CorrectionRun(deps)
  }

  page(page: Page): Promise<PageOf<Correction>> {
    return this.#deps.store.corrections.page(page)
  }

  progress(): CorrectionProgress {
    return this.#progress
  }

  /** Works every charge of the selection out again. */
  preview(selection: CorrectionSelection): Promise<CorrectionPreview> {
    return this.#alone(async () => previewOf(selection, await this.#totals(selection)))
  }

  /**
   * Changes the charges. Money moves user by user: balance, key, statistics and books of one at once.
   * @throws Refusal where something else would change than the confirmed preview said
   */
  apply(actor: Actor, order: CorrectionOrder): Promise<Correction> {
    return this.#leased(async () => {
      const { reason, confirmation, ...selection } = order
      const charges: CorrectedCharge[] = []
      const totals = await this.#totals(selection, (changed) => charges.push(...changed))
      if (charges.length === 0) throw new Refusal('correction_changes_nothing')
      if (confirmation !== confirmationOf(selection, totals)) throw new Refusal('correction_changed')
      const correction = await this.#run.prepare(actor, { selection, reason, totals, charges })
      return await this.#finish(correction)
    })
  }

  /** Charges the calls as they were charged before. */
  takeBack(actor: Actor, id: number, reason: string): Promise<Correction> {
    return this.#leased(async () => this.#finish(await this.#run.beginTakingBack(actor, id, reason)))
  }

  /** Goes on with what a crash has left half done. */
  async resume(): Promise<void> {
    if (this.#progress.running) return
    const unfinished = await this.#deps.store.corrections.listUnfinished()
    if (unfinished.length === 0) return
    await this.#leased(async () => {
      for (const { id } of unfinished) {
        // Another node may have ended it before this one had the lease.
        const correction = await this.#deps.store.corrections.find(id)
        if (correction?.state === 'preparing') await this.#deps.store.corrections.discard(id)
        else if (correction !== undefined) await this.#finish(correction)
      }
    })
  }

  #finish(correction: Correction): Promise<Correction> {
    return this.#run.finish(correction, (users) => {
      this.#progress = { ...this.#progress, users: this.#progress.users + users }
    })
  }

  async #totals(
    selection: CorrectionSelection,
    changed: (charges: readonly CorrectedCharge[]) => void = () => undefined,
  ): Promise<CorrectionTotals> {
    const { clock, settings, store, usage } = this.#deps
    const { filters, terms } = await select(store, selection, unixSeconds(clock))
    const totals = new CorrectionTotals()
    const scanned = { usage, corrections: store.corrections, goodwill: store.goodwill }
    for await (const calls of scanCalls(scanned, filters, rightTerms(settings.current, terms))) {
      changed(totals.add(calls))
      this.#progress = { ...this.#progress, calls: this.#progress.calls + calls.length }
      if (this.#progress.calls > maxCalls) throw new Refusal('correction_too_large', { max: maxCalls })
    }
    return totals
  }

  async #leased<Result>(work: () => Promise<Result>): Promise<Result> {
    return await this.#alone(async () => {
      const held = await whileHolding({ ...this.#deps, name: 'corrections' }, work)
      if (held === undefined) throw new Refusal('correction_running')
      return held.result
    })
  }

  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#progress.running) throw new Refusal('correction_running')
    this.#progress = { running: true, calls: 0, users: 0 }
    try {
      return await work()
    } finally {
      this.#progress = { ...this.#progress, running: false }
    }
  }
}

function previewOf(selection: CorrectionSelection, totals: CorrectionTotals): CorrectionPreview {
  const users = [...totals.users.values()].filter(({ changed }) => changed > 0)
  return {
    ...totals.all,
    amount: totals.amount,
    unknown_calls: totals.unknown.calls,
    unknown_charged: totals.unknown.charged,
    credited_calls: totals.credited.calls,
    credited_amount: totals.credited.amount,
    changed_users: totals.changedUsers,
    users: byChange(users)
      .slice(0, maxListedUsers)
      .map(({ userId: id, ...user }) => ({ id, ...user })),
    models: byChange([...totals.models.values()])
      .slice(0, maxListedUsers)
      .map(({ model: model_name, ...sums }) => ({ model_name, ...sums })),
    confirmation: confirmationOf(selection, totals),
  }
}

function byChange<Total extends ChargeTotal>(totals: readonly Total[]): readonly Total[] {
  const change = ({ right, charged }: Total) => Math.abs(right - charged)
  return totals.toSorted((a, b) => change(b) - change(a))
}

function confirmationOf(
  selection: CorrectionSelection,
  { all, unknown, credited }: CorrectionTotals,
): string {
  const seen = JSON.stringify([Object.entries(selection).toSorted(), all, unknown, credited])
  return createHash('sha256').update(seen).digest('hex').slice(0, 16)
}
