import { randomUUID } from 'node:crypto'
import type { Quota } from '../../store/units.ts'
import type { CachedAccountKind } from '../balances/account-cache.ts'
import type { FleetMessages } from './fleet.ts'

export interface ShareRecallOptions {
  readonly node: string
  readonly messages: FleetMessages
  /** Returns what this node can do without; resolves when the database has it. Must not reject. */
  readonly surrender: (kind: CachedAccountKind, id: number, need: Quota) => Promise<void>
  readonly nowMs: () => number
}

interface RecallMessage {
  readonly type: 'share-recall'
  readonly recall: string
  readonly from: string
  readonly nodes: readonly string[]
  readonly kind: CachedAccountKind
  readonly id: number
  readonly need: Quota
}

interface ReplyMessage {
  readonly type: 'share-returned'
  readonly recall: string
  readonly from: string
}

const maxWaitMs = 500
/** A node that did not reply is not asked again for so long: each call would wait for it in vain. */
const silenceMs = 5000

/** Asks other nodes to return what they hold of a balance and do not need. */
export class ShareRecall {
  readonly #options: ShareRecallOptions
  /** Ends the wait for a node's reply, by recall. */
  readonly #waiting = new Map<string, (node: string) => void>()
  readonly #silentUntil = new Map<string, number>()
  readonly #unsubscribe: () => void

  constructor(options: ShareRecallOptions) {
    this.#options = options
    this.#unsubscribe = options.messages.subscribe((message) => this.#received(message))
  }

  /** Resolves when all of them have replied, or after half a second: with whether all have, now or lately. Never rejects. */
  async request(
    holders: readonly string[],
    kind: CachedAccountKind,
    id: number,
    need: Quota,
  ): Promise<boolean> {
    const { node, messages, nowMs } = this.#options
    const silent = new Set(holders.filter((holder) => (this.#silentUntil.get(holder) ?? 0) <= nowMs()))
    const hasSilent = silent.size < holders.length
    if (silent.size === 0) return !hasSilent
    const recall = randomUUID()
    const all = Promise.withResolvers<void>()
    this.#waiting.set(recall, (from) => {
      silent.delete(from)
      if (silent.size === 0) all.resolve()
    })
    const timer = setTimeout(all.resolve, maxWaitMs)
    const message: RecallMessage = {
      type: 'share-recall',
      recall,
      from: node,
      nodes: [...silent],
      kind,
      id,
      need,
    }
    messages.send(message).catch(() => all.resolve())
    await all.promise
    clearTimeout(timer)
    this.#waiting.delete(recall)
    for (const holder of silent) this.#silentUntil.set(holder, nowMs() + silenceMs)
    return !hasSilent && silent.size === 0
  }

  close(): void {
    this.#unsubscribe()
  }

  #received(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('type' in message)) return
    // Only this program sends such messages; those of other modules have other types.
    if (message.type === 'share-recall') void this.#surrender(message as RecallMessage)
    else if (message.type === 'share-returned') this.#returned(message as ReplyMessage)
  }

  #returned({ recall, from }: ReplyMessage): void {
    this.#silentUntil.delete(from)
    this.#waiting.get(recall)?.(from)
  }

  async #surrender({ recall, nodes, kind, id, need }: RecallMessage): Promise<void> {
    const { node, messages, surrender } = this.#options
    if (!nodes.includes(node)) return
    await surrender(kind, id, need)
    const reply: ReplyMessage = { type: 'share-returned', recall, from: node }
    // Without a reply the other node waits for a moment longer.
    await messages.send(reply).catch(() => undefined)
  }
}
