import type { SettlementPack } from '../store/settlement.ts'
import { PackWriter, splitPack } from '../store/settlement-pack.ts'

interface CountedPack {
  readonly count: number
  readonly pack: SettlementPack
}

/** Settlements that wait, as bytes, first in first out. */
export class PackedQueue {
  /** Behind them comes what is in the writer. */
  #packs: CountedPack[] = []
  readonly #writer = new PackWriter()
  #length = 0

  get length(): number {
    return this.#length
  }

  add(text: string): void {
    if (!this.#writer.add(text)) {
      this.#closePack()
      this.#writer.add(text)
    }
    this.#length += 1
  }

  /** Packs of the first `count` settlements, or of all when they are fewer. */
  first(count: number): SettlementPack[] {
    this.#closePack()
    const packs: SettlementPack[] = []
    let left = count
    for (const { count: size, pack } of this.#packs) {
      if (left <= 0) break
      packs.push(size <= left ? pack : splitPack(pack, left)[0])
      left -= size
    }
    return packs
  }

  /** Lets the first `count` go. */
  drop(count: number): void {
    this.#closePack()
    let left = Math.min(count, this.#length)
    this.#length -= left
    while (left > 0) {
      const first = this.#packs.shift()
      if (first === undefined) return
      if (first.count > left)
        this.#packs.unshift({ count: first.count - left, pack: splitPack(first.pack, left)[1] })
      left -= first.count
    }
  }

  clear(): void {
    this.drop(this.#length)
  }

  #closePack(): void {
    const { count } = this.#writer
    if (count > 0) this.#packs.push({ count, pack: this.#writer.take() })
  }
}
