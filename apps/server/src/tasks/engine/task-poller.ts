import type { OpenAccount, TaskRepository } from '../../store/task-repository.ts'
import { AccountTurn, type AccountTurnDependencies } from './account-turn.ts'
import type { HeldLease } from './lease.ts'

export interface TaskPollerDependencies extends AccountTurnDependencies {
  readonly tasks: Pick<TaskRepository, 'openAccounts' | 'listOpen'>
  readonly lease: HeldLease
}

/** Asks upstreams about open tasks, on the one node that has the lease. */
export interface TaskPoller {
  /** Begins what is due. Called every `lookEveryMs`; never waits for an upstream. */
  look(): Promise<void>
  /** Resolves when nothing is being asked. */
  idle(): Promise<void>
  /** Resolves when nothing is asked any more. */
  close(): Promise<void>
}

/** How often the store is asked which accounts have open tasks. */
const accountsEveryMs = 2000
const maxRunning = 16

export function createTaskPoller(deps: TaskPollerDependencies): TaskPoller {
  return new Poller(deps)
}

class Poller implements TaskPoller {
  readonly #deps: TaskPollerDependencies
  /** By account, the least recently served first: accounts that hang do not keep the others from their turn. */
  readonly #turns = new Map<string, AccountTurn>()
  readonly #running = new Map<AccountTurn, Promise<void>>()
  readonly #stop = new AbortController()
  #accountsDueMs = 0

  constructor(deps: TaskPollerDependencies) {
    this.#deps = deps
  }

  async look(): Promise<void> {
    if (!(await this.#deps.lease.holds())) {
      this.#turns.clear()
      return
    }
    const now = this.#deps.monotonic.now()
    if (now >= this.#accountsDueMs) {
      this.#accountsDueMs = now + accountsEveryMs
      this.#follow(await this.#deps.tasks.openAccounts())
    }
    for (const [key, turn] of [...this.#turns]) {
      if (this.#running.size >= maxRunning) return
      if (!this.#running.has(turn) && turn.isDue()) this.#begin(key, turn)
    }
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.idle()
    await this.#deps.lease.give().catch(() => undefined)
  }

  #follow(accounts: readonly OpenAccount[]): void {
    const open = new Set<string>()
    for (const account of accounts) {
      const key = `${account.channelId} ${account.platform} ${account.keyHash}`
      open.add(key)
      const turn = this.#turns.get(key)
      if (turn === undefined) this.#turns.set(key, new AccountTurn(account, this.#deps))
      else turn.follow(account)
    }
    for (const [key, turn] of this.#turns)
      if (!open.has(key) && !this.#running.has(turn)) this.#turns.delete(key)
  }

  #begin(key: string, turn: AccountTurn): void {
    this.#turns.delete(key)
    this.#turns.set(key, turn)
    const run = turn.serve(this.#stop.signal).finally(() => this.#running.delete(turn))
    this.#running.set(turn, run)
  }
}
