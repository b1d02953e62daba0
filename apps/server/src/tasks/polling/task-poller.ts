import type { Clock } from '@tollgate/base'
import type { LeaseRepository } from '../../store/repositories/leases.ts'
import type { OpenAccount, TaskRepository } from '../../store/repositories/tasks.ts'
import { AccountPoller, type AccountPollerDependencies } from './account-poller.ts'

interface TaskPollerDependencies extends AccountPollerDependencies {
  readonly tasks: Pick<TaskRepository, 'openAccounts' | 'listOpen'>
  readonly lease: Lease
}

/** How often the poller reads from the store which accounts have open tasks. */
const accountsEveryMs = 2000
const maxRunning = 16

/** Polls upstreams about open tasks, on the one node that has the lease. */
export class TaskPoller {
  readonly #deps: TaskPollerDependencies
  /** By account, the least recently served first: an account that hangs does not delay the others. */
  readonly #pollers = new Map<string, AccountPoller>()
  readonly #running = new Map<AccountPoller, Promise<void>>()
  readonly #stop = new AbortController()
  #accountsDueMs = 0

  constructor(deps: TaskPollerDependencies) {
    this.#deps = deps
  }

  /** Starts the polls that are due. Called every `pollTickMs`; never waits for an upstream. */
  async look(): Promise<void> {
    if (!(await this.#deps.lease.holds())) {
      this.#pollers.clear()
      return
    }
    const now = this.#deps.monotonic.now()
    if (now >= this.#accountsDueMs) {
      this.#accountsDueMs = now + accountsEveryMs
      this.#follow(await this.#deps.tasks.openAccounts())
    }
    for (const [key, poller] of [...this.#pollers]) {
      if (this.#running.size >= maxRunning) return
      if (!this.#running.has(poller) && poller.isDue()) this.#begin(key, poller)
    }
  }

  /** Resolves when no poll is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  /** Stops polling, and releases the lease. */
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
      const poller = this.#pollers.get(key)
      if (poller === undefined) this.#pollers.set(key, new AccountPoller(account, this.#deps))
      else poller.follow(account)
    }
    for (const [key, poller] of this.#pollers)
      if (!open.has(key) && !this.#running.has(poller)) this.#pollers.delete(key)
  }

  #begin(key: string, poller: AccountPoller): void {
    this.#pollers.delete(key)
    this.#pollers.set(key, poller)
    const run = poller.serve(this.#stop.signal).finally(() => this.#running.delete(poller))
    this.#running.set(poller, run)
  }
}

/** A lease that calls of `holds` renew. */
interface Lease {
  /** Whether this node has the lease now. Rejects when the store fails; the node must not poll then. */
  holds(): Promise<boolean>
  give(): Promise<void>
}

interface Dependencies {
  readonly leases: LeaseRepository
  readonly name: string
  /** Name of the node, the same over its restarts: two processes never run under one. */
  readonly holder: string
  readonly clock: Clock
}

const lifeMs = 30_000

/** Renews the lease at half its life, so that one slow store call does not lose it. */
export function createLease({ leases, name, holder, clock }: Dependencies): Lease {
  let expiresMs = 0
  return {
    async holds() {
      const now = clock.now()
      const leftMs = expiresMs - now
      // More than a full life is left after the clock was set back: another node may have taken the lease since.
      if (leftMs > lifeMs / 2 && leftMs <= lifeMs) return true
      const next = now + lifeMs
      const taken = await leases.take({ name, holder, expiresMs: next }, now)
      expiresMs = taken ? next : 0
      return taken
    },
    async give() {
      if (expiresMs === 0) return
      expiresMs = 0
      await leases.give(name, holder)
    },
  }
}
