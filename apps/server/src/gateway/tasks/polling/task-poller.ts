import type { OpenAccount, TaskRepository } from '../../../store/work/tasks.ts'
import { AccountPoller, type AccountPollerDependencies } from './account-poller.ts'

interface TaskPollerDependencies extends AccountPollerDependencies {
  readonly tasks: Pick<TaskRepository, 'openAccounts' | 'listOpen'>
}

/** Interval at which the poller reads from the store which accounts have open tasks. */
const accountsEveryMs = 2000
const maxRunning = 16

/** Polls upstreams about open tasks, on one node at a time. */
export class TaskPoller {
  readonly #deps: TaskPollerDependencies
  /** Pollers by account, the least recently served first: an account that hangs does not delay the others. */
  readonly #pollers = new Map<string, AccountPoller>()
  readonly #running = new Map<AccountPoller, Promise<void>>()
  readonly #stop = new AbortController()
  #accountsDueMs = 0
  #term: AbortSignal | undefined
  /** Aborted at the end of the term, or of this poller. */
  #polling = this.#stop.signal

  constructor(deps: TaskPollerDependencies) {
    this.#deps = deps
  }

  /**
   * Starts the polls that are due. Called every `pollTickMs`; never waits for an upstream.
   * @param term another one than the last time: other nodes have polled meanwhile, and what is known is old
   */
  async look(term: AbortSignal): Promise<void> {
    if (this.#term !== term) this.#begin(term)
    const now = this.#deps.monotonic.now()
    if (now >= this.#accountsDueMs) {
      this.#accountsDueMs = now + accountsEveryMs
      this.#follow(await this.#deps.tasks.openAccounts())
    }
    for (const [key, poller] of [...this.#pollers]) {
      if (this.#running.size >= maxRunning || term.aborted) return
      if (!this.#running.has(poller) && poller.isDue()) this.#poll(key, poller)
    }
  }

  /** Resolves when no poll is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Stops polling. */
  async close(): Promise<void> {
    this.#stop.abort()
    await this.idle()
  }

  #follow(accounts: readonly OpenAccount[]): void {
    const open = new Set<string>()
    for (const account of accounts) {
      const key = `${account.channelId} ${account.platform} ${account.keyHash}`
      open.add(key)
      const poller = this.#pollers.get(key)
      if (poller === undefined) this.#pollers.set(key, new AccountPoller(account, this.#deps))
      else poller.follow(account)
    }
    for (const [key, poller] of this.#pollers)
      if (!open.has(key) && !this.#running.has(poller)) this.#pollers.delete(key)
  }

  #begin(term: AbortSignal): void {
    this.#term = term
    this.#polling = AbortSignal.any([this.#stop.signal, term])
    this.#pollers.clear()
  }

  #poll(key: string, poller: AccountPoller): void {
    this.#pollers.delete(key)
    this.#pollers.set(key, poller)
    const run = poller.serve(this.#polling).finally(() => this.#running.delete(poller))
    this.#running.set(poller, run)
  }
}
