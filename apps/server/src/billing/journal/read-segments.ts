import type { JournalSpan } from '../../store/settlement.ts'
import type { JournalEntry } from './entry.ts'
import type { JournalFile, JournalMark } from './files.ts'
import { contentBytes, minEntryBytes, type SegmentEnd, scanSegment } from './scan-segment.ts'
import { type FoundHead, readHead, type SegmentHead } from './segment-head.ts'
import { NumberSet, type Stretch } from './spans.ts'

/** Entries of a journal that a database has. */
export interface Settled {
  /** Position of the node: entries of the former layout are recognised by it alone. */
  readonly position: number
  /** Entries that it has, of any run. */
  readonly spans: readonly JournalSpan[]
}

/** Reasons for which a file is unusable as a segment. */
export type FileFault = 'damaged' | 'unreadable' | 'foreign-node' | 'foreign-database'

export interface FaultyFile {
  readonly fault: FileFault
  readonly file: JournalFile
}

/** Calls that neither the journal nor the database has. */
export interface Loss {
  /** `torn`: the end of what was written before a power cut, normal then. `damage`: anything else. */
  readonly kind: 'torn' | 'damage'
  /** Names it over all starts. */
  readonly id: string
  readonly atLeast: number
  readonly atMost: number
  /** The database has passed these numbers: a start has found it before. */
  readonly isPassed: boolean
}

/** Losses and faulty files that reading a journal to its end has found. */
export interface JournalFindings {
  readonly losses: readonly Loss[]
  readonly files: readonly FaultyFile[]
}

/** Node and database whose segments are read. */
interface Owner {
  readonly node: string
  readonly database: string | undefined
}

interface ReadableFile {
  readonly file: JournalFile
  readonly found: FoundHead
}

interface Run {
  readonly first: number
  /** Found here, or in the database. */
  readonly numbers: NumberSet
  /** There was at least this number. */
  last: number
  /** Segments begin with these. */
  readonly begun: Set<number>
  /** End of the segment with the last numbers. */
  end?: SegmentEnd
}

/**
 * Reads the segments of a journal that nobody writes: every whole entry that the database lacks, once, and then what is
 * missing. An entry of a run is known by its number in it; an entry of the former layout is new when it is past the position.
 */
export class JournalReading {
  readonly #files: readonly ReadableFile[]
  readonly #owner: Owner
  readonly #settled: Settled
  readonly #mark: JournalMark | undefined
  readonly #runs = new Map<string, Run>()
  readonly #faulty = new Map<JournalFile, FileFault>()
  #former: number
  /** Numbers of the node: those that the database has passed, that were found, and whose loss is known. */
  readonly #known = new NumberSet()
  readonly #losses: Loss[] = []

  constructor(
    files: readonly JournalFile[],
    owner: Owner,
    settled: Settled,
    mark: JournalMark | undefined = undefined,
  ) {
    this.#files = files.map((file) => ({ file, found: readHead(file) }))
    this.#owner = owner
    this.#settled = settled
    this.#mark = mark
    this.#former = settled.position
    if (settled.position > 0) this.#known.add(1, settled.position)
  }

  /** Yields what the database lacks, by number. */
  *entries(): Generator<JournalEntry, void> {
    for (const { file, head } of this.#ownSegments()) {
      const isOwnRun = head.identity !== undefined
      yield* isOwnRun ? this.#entriesOfRun(file, head) : this.#entriesOfFormer(file, head)
    }
  }

  /** Once all entries were read. */
  findings(): JournalFindings {
    const { node, database } = this.#owner
    if (this.#mark?.node === node && (database === undefined || this.#mark.database === database))
      this.#runOf(this.#mark.run, this.#mark.first)
    const ofRuns = [...this.#runs].flatMap(([run, state]) => this.#lossesOf(run, state))
    const losses = [...this.#losses, ...ofRuns, ...this.#lossesBetweenRuns()]
    return { losses, files: [...this.#faulty].map(([file, fault]) => ({ file, fault })) }
  }

  /** Numbers of the node that no run has which is still known: their segments are gone, or the database is older. */
  #lossesBetweenRuns(): Loss[] {
    const starts = [...this.#runs.values()].map(({ first }) => first - 1)
    const last = Math.max(this.#known.last ?? 0, ...starts)
    return this.#known.missing(1, last).map((hole) => this.#damageOf(this.#owner.node, hole))
  }

  *#ownSegments(): Generator<{ readonly file: JournalFile; readonly head: SegmentHead }> {
    const segments = []
    for (const { file, found } of this.#files) {
      if (found.kind === 'unreadable') this.#unreadable(file)
      if (found.kind !== 'head') continue
      const fault = this.#strangerOf(found.head) ?? (found.isDamaged ? 'damaged' : undefined)
      if (fault !== undefined) this.#faulty.set(file, fault)
      if (fault === undefined || fault === 'damaged') segments.push({ file, head: found.head })
    }
    yield* segments.sort((a, b) => a.head.firstSeq - b.head.firstSeq)
  }

  #strangerOf({ identity }: SegmentHead): FileFault | undefined {
    if (identity === undefined) return undefined
    const { node, database } = this.#owner
    if (database !== undefined && identity.database !== '' && identity.database !== database)
      return 'foreign-database'
    return identity.node === node ? undefined : 'foreign-node'
  }

  #unreadable(file: JournalFile): void {
    this.#faulty.set(file, 'unreadable')
    const atMost = Math.floor(contentBytes(file) / minEntryBytes)
    if (atMost > 0)
      this.#losses.push({ kind: 'damage', id: `file ${file.name}`, atLeast: 0, atMost, isPassed: false })
  }

  *#entriesOfFormer(file: JournalFile, head: SegmentHead): Generator<JournalEntry> {
    for (const part of scanSegment(file, head)) {
      if (part.kind === 'gap') this.#faulty.set(file, 'damaged')
      if (part.kind === 'end' && part.isTorn && part.lastSeq >= this.#former) this.#formerIsTorn(part)
      if (part.kind !== 'entry' || part.entry.seq <= this.#former) continue
      this.#former = part.entry.seq
      this.#known.add(part.entry.seq)
      yield part.entry
    }
  }

  #formerIsTorn({ lastSeq, atMost }: SegmentEnd): void {
    const id = `${this.#owner.node} after ${lastSeq}`
    this.#losses.push({ kind: 'torn', id, atLeast: 1, atMost: Math.max(1, atMost), isPassed: false })
  }

  *#entriesOfRun(file: JournalFile, head: SegmentHead): Generator<JournalEntry> {
    const run = head.identity?.run ?? ''
    const state = this.#runOf(run, head.identity?.runFirst ?? head.firstSeq)
    state.last = Math.max(state.last, head.firstSeq - 1)
    state.begun.add(head.firstSeq)
    if (file.size < (head.identity?.size ?? 0)) this.#faulty.set(file, 'damaged')
    for (const part of scanSegment(file, head)) {
      if (part.kind === 'gap') this.#faulty.set(file, 'damaged')
      if (part.kind === 'end') this.#ended(state, part)
      if (part.kind !== 'entry' || state.numbers.has(part.entry.seq)) continue
      state.numbers.add(part.entry.seq)
      this.#known.add(part.entry.seq)
      yield { ...part.entry, run }
    }
  }

  #ended(state: Run, end: SegmentEnd): void {
    state.last = Math.max(state.last, end.lastSeq)
    if (state.end === undefined || end.lastSeq >= state.end.lastSeq) state.end = end
  }

  #runOf(run: string, first: number): Run {
    const known = this.#runs.get(run)
    if (known !== undefined) return known
    const numbers = new NumberSet()
    for (const span of this.#settled.spans) if (span.run === run) numbers.add(span.first, span.last)
    const made = { first, numbers, last: numbers.last ?? first - 1, begun: new Set<number>() }
    this.#runs.set(run, made)
    return made
  }

  #lossesOf(run: string, { first, numbers, last, begun, end }: Run): Loss[] {
    const mark = this.#mark?.run === run ? this.#mark : undefined
    const marked = mark === undefined ? 0 : Math.max(mark.seq, mark.begun - 1)
    const losses = numbers.missing(first, Math.max(last, marked)).map((hole): Loss => {
      this.#known.add(hole.first, hole.last)
      return this.#damageOf(run, hole)
    })
    if (mark !== undefined && !begun.has(mark.begun)) {
      const known = Math.max(0, marked - mark.begun + 1)
      losses.push({
        kind: 'damage',
        id: `${run} from ${mark.begun}`,
        atLeast: 0,
        atMost: Math.floor(mark.size / minEntryBytes) - known,
        isPassed: mark.begun <= this.#settled.position,
      })
      return losses
    }
    if (end !== undefined) losses.push(...this.#lossAtEnd(run, end, Math.max(numbers.last ?? 0, marked)))
    return losses
  }

  /** @param known the last number that the run had for sure */
  #lossAtEnd(run: string, { lastSeq, isTorn, isCut, atMost }: SegmentEnd, known: number): Loss[] {
    const counted = Math.max(0, known - lastSeq)
    const atLeast = isTorn && counted === 0 ? 1 : 0
    const more = Math.max(atLeast, atMost - counted)
    if (more === 0) return []
    return [
      {
        // Before a power cut the file had its full size: what is cut is not torn.
        kind: isCut ? 'damage' : 'torn',
        id: `${run} after ${lastSeq}`,
        atLeast,
        atMost: more,
        isPassed: lastSeq < this.#settled.position,
      },
    ]
  }

  #damageOf(whose: string, { first, last }: Stretch): Loss {
    const lost = last - first + 1
    const isPassed = last <= this.#settled.position
    return { kind: 'damage', id: `${whose} ${first}-${last}`, atLeast: lost, atMost: lost, isPassed }
  }
}
