import { withStorableTexts } from './schema/text.ts'
import type { Quota, Seconds } from './units.ts'

/** The accounts of the ledger. `organisation`, `team` and `plan` join this list without touching the money code. */
export type AccountKind = 'user' | 'token' | 'channel'

/** One ended call, as it is charged and logged. */
export interface Settlement {
  /** `error`: a call that failed. It costs nothing: it gets a row in the log and counts only as a failure. */
  readonly kind: 'consumption' | 'error'
  /** Position in the journal of its node, counting from 1 without holes. */
  readonly seq: number
  readonly createdAt: Seconds
  readonly userId: number
  readonly username: string
  /** 0 for the playground, which spends no token. */
  readonly tokenId: number
  readonly tokenName: string
  readonly model: string
  readonly channelId: number
  readonly group: string
  readonly quota: Quota
  /** Cost of the call for the operator; absent where it is not known. */
  readonly cost?: Quota | undefined
  readonly promptTokens: number
  readonly completionTokens: number
  readonly useTimeSeconds: number
  readonly isStream: boolean
  readonly content: string
  readonly requestId: string
  /** JSON text. */
  readonly other: string
  /** False when the operator switched usage logging off: charged, but no row and no rollup. */
  readonly logged: boolean
}

/**
 * Settlements as bytes, one entry after the other. A call is encoded once, when it is settled; until a database thread
 * decodes it, it creates no objects for the garbage collector to traverse.
 */
export type SettlementBatch = Uint8Array

/** Everything of a settlement but its number. */
export type SettledCall = Omit<Settlement, 'seq'>

/** Numbers of entries that one start of a node has given, the first and the last of them included. */
export interface JournalSpan {
  /** The start of a node, which tells its entries from those of every other. */
  readonly run: string
  readonly first: number
  readonly last: number
}

export interface FlushRequest {
  readonly node: string
  /** Position the database must be at. */
  readonly after: number
  /** Position it is at then: number of the last settlement. */
  readonly last: number
  /** The settlements in their order. */
  readonly batches: readonly SettlementBatch[]
  /**
   * Spans of its entries. The flush is refused when the database has one of them. Entries of journals without an identity have none.
   */
  readonly spans?: readonly JournalSpan[]
}

/*
 * A settlement as bytes: length of the payload, checksum, number in two halves, payload. The journal's files and what
 * waits for the database are such entries, one behind the other, so that a call is encoded once. The checksum is the
 * journal's: bytes in memory need none. Here, below billing and the database threads, because both must know it.
 */

/** Size of the head in front of every payload. */
export const entryHeaderBytes = 16
/** Offset of the journal's checksum, which covers the bytes after it. */
export const entryChecksumAt = 4
const twoTo32 = 2 ** 32

/**
 * The payload: one line of JSON with the fields in a fixed order, numbers before texts, then `other` as it is. Half the
 * time of JSON with names, most of which went into escaping `other`, a JSON text itself: every call pays for this.
 * Counts that no column holds are clamped.
 */
export function encodePayload(call: SettledCall): string {
  const fields = [
    call.createdAt,
    call.userId,
    call.tokenId,
    call.channelId,
    call.quota,
    inRange(call.promptTokens),
    inRange(call.completionTokens),
    inRange(call.useTimeSeconds),
    call.isStream ? 1 : 0,
    call.logged ? 1 : 0,
    call.kind === 'error' ? 1 : 0,
    call.username,
    call.tokenName,
    call.model,
    call.group,
    call.content,
    call.requestId,
  ]
  // Last, so that programs before it read the entry, too.
  if (call.cost !== undefined) fields.push(call.cost)
  return `${JSON.stringify(fields)}\n${call.other}`
}

/** Everything of the header but the checksum. */
export function writeEntryHeader(bytes: Buffer, start: number, payloadLength: number, seq: number): void {
  bytes.writeUInt32LE(payloadLength, start)
  writeEntrySeq(bytes, start, seq)
}

export function writeEntrySeq(bytes: Buffer, start: number, seq: number): void {
  bytes.writeUInt32LE(Math.floor(seq / twoTo32), start + 8)
  bytes.writeUInt32LE(seq % twoTo32, start + 12)
}

export function entrySeqAt(bytes: Buffer, start: number): number {
  return bytes.readUInt32LE(start + 8) * twoTo32 + bytes.readUInt32LE(start + 12)
}

export function payloadLengthAt(bytes: Buffer, start: number): number {
  return bytes.readUInt32LE(start)
}

/** The end of the entry that starts at `start`. */
export function entryEndAt(bytes: Buffer, start: number): number {
  return start + entryHeaderBytes + payloadLengthAt(bytes, start)
}

/** The start of each entry of a batch. */
export function* entryStartsIn(bytes: Buffer): Generator<number> {
  for (let start = 0; start < bytes.length; start = entryEndAt(bytes, start)) yield start
}

/** The bytes as a `Buffer`; copies nothing. */
export function bufferOver({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** A batch of these settlements. */
export function encodeSettlements(settlements: Iterable<Settlement>): SettlementBatch {
  return Buffer.concat(Array.from(settlements, encodeEntry))
}

function encodeEntry({ seq, ...call }: Settlement): Buffer {
  const payload = Buffer.from(encodePayload(call))
  const header = Buffer.alloc(entryHeaderBytes)
  writeEntryHeader(header, 0, payload.length, seq)
  return Buffer.concat([header, payload])
}

/** The settlements of a batch in their order, with texts that every database accepts. */
export function decodeSettlements(batch: SettlementBatch): Settlement[] {
  const bytes = bufferOver(batch)
  return Array.from(entryStartsIn(bytes), (start) => decodeEntry(bytes, start))
}

/** The settlements of batches, batch by batch. */
export function* decodeBatches(batches: Iterable<SettlementBatch>): Generator<Settlement[], void> {
  for (const batch of batches) yield decodeSettlements(batch)
}

/** Decodes without verifying the checksum: the journal or memory has protected the bytes. */
function decodeEntry(bytes: Buffer, start: number): Settlement {
  const text = bytes.toString('utf8', start + entryHeaderBytes, entryEndAt(bytes, start))
  const lineEnd = text.indexOf('\n')
  const line = text.slice(0, lineEnd)
  const settlement = settlementOf(entrySeqAt(bytes, start), JSON.parse(line), text.slice(lineEnd + 1))
  // Characters that no database accepts are escaped in the line, or a NUL in `other`; both are rare.
  const isStorable = !line.includes('\\') && !settlement.other.includes('\0')
  return isStorable ? settlement : withStorableTexts(settlement)
}

type Fields = readonly [
  createdAt: number,
  userId: number,
  tokenId: number,
  channelId: number,
  quota: number,
  promptTokens: number,
  completionTokens: number,
  useTimeSeconds: number,
  isStream: number,
  logged: number,
  isError: number,
  username: string,
  tokenName: string,
  model: string,
  group: string,
  content: string,
  requestId: string,
  /** Absent in entries of programs before it. */
  cost?: number,
]

function settlementOf(seq: number, fields: Fields, other: string): Settlement {
  return {
    seq,
    kind: fields[10] === 1 ? 'error' : 'consumption',
    createdAt: fields[0],
    userId: fields[1],
    username: fields[11],
    tokenId: fields[2],
    tokenName: fields[12],
    model: fields[13],
    channelId: fields[3],
    group: fields[14],
    quota: fields[4],
    cost: fields[17],
    promptTokens: fields[5],
    completionTokens: fields[6],
    useTimeSeconds: fields[7],
    isStream: fields[8] === 1,
    content: fields[15],
    requestId: fields[16],
    logged: fields[9] === 1,
    other,
  }
}

const maxCount = 2_147_483_647

function inRange(count: number): number {
  return count > 0 ? Math.min(Math.trunc(count), maxCount) : 0
}
