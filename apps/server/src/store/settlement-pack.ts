import type { Settlement, SettlementPack } from './settlement.ts'
import { decodeSettlement, encodeSettlement, readPlainSettlement } from './settlement-text.ts'
import { withStorableTexts } from './text.ts'

const lengthBytes = 4
/** Some hundreds of calls: few enough that one pack is read, or written into the database, in a few milliseconds. */
const packBytes = 256 * 1024
/** UTF-8 takes at most three bytes per unit of a JavaScript string. */
const bytesPerUnit = 3

/** Packs texts in a buffer of its own. */
export class PackWriter {
  #buffer = Buffer.allocUnsafe(packBytes)
  #end = 0
  /** Texts in the pack. */
  count = 0

  /** False when the pack is full: `take` it first. */
  add(text: string): boolean {
    const largest = lengthBytes + text.length * bytesPerUnit
    if (this.#end + largest > this.#buffer.length) {
      if (this.count > 0) return false
      this.#buffer = Buffer.allocUnsafe(largest)
    }
    const length = this.#buffer.write(text, this.#end + lengthBytes, 'utf8')
    this.#buffer.writeUInt32LE(length, this.#end)
    this.#end += lengthBytes + length
    this.count += 1
    return true
  }

  /** The pack; the next one begins. */
  take(): SettlementPack {
    const pack = Uint8Array.prototype.slice.call(this.#buffer, 0, this.#end)
    this.#end = 0
    this.count = 0
    return pack
  }
}

/** Packs that hold these texts in their order. */
export function packTexts(texts: Iterable<string>): SettlementPack[] {
  const writer = new PackWriter()
  const packs: SettlementPack[] = []
  for (const text of texts) {
    if (writer.add(text)) continue
    packs.push(writer.take())
    writer.add(text)
  }
  return writer.count === 0 ? packs : [...packs, writer.take()]
}

export function packSettlements(settlements: Iterable<Settlement>): SettlementPack[] {
  return packTexts(Array.from(settlements, (settlement) => encodeSettlement(settlement.seq, settlement)))
}

/** What a pack holds, in its order, with texts that every database takes. */
export function settlementsIn(pack: SettlementPack): Settlement[] {
  const bytes = bufferOver(pack)
  const settlements: Settlement[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = endOf(bytes, start)
    settlements.push(storableSettlement(bytes, start + lengthBytes, end))
    start = end
  }
  return settlements
}

/** What no database takes is escaped in the line of fields, or a NUL in `other`; hardly any settlement has either. */
function storableSettlement(bytes: Buffer, start: number, end: number): Settlement {
  const plain = readPlainSettlement(bytes, start, end)
  if (plain !== undefined && !plain.other.includes('\0')) return plain
  return withStorableTexts(plain ?? decodeSettlement(bytes.toString('utf8', start, end)))
}

/** What packs hold, pack by pack. */
export function* settlementsByPack(packs: Iterable<SettlementPack>): Generator<Settlement[], void> {
  for (const pack of packs) yield settlementsIn(pack)
}

/** A pack of the first `count` settlements, and one of the others. Nothing is copied. */
export function splitPack(pack: SettlementPack, count: number): [SettlementPack, SettlementPack] {
  const bytes = bufferOver(pack)
  let end = 0
  for (let left = count; left > 0; left -= 1) end = endOf(bytes, end)
  return [pack.subarray(0, end), pack.subarray(end)]
}

function endOf(bytes: Buffer, start: number): number {
  return start + lengthBytes + bytes.readUInt32LE(start)
}

function bufferOver({ buffer, byteOffset, byteLength }: SettlementPack): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
