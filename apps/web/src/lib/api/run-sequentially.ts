/** Outcome for one item of a run. */
export type Outcome<Item, Result> =
  | { readonly item: Item; readonly ok: true; readonly result: Result }
  | { readonly item: Item; readonly ok: false; readonly error: Error }

export interface RunOptions {
  /** Aborting lets the running call end and starts no other. */
  readonly signal: AbortSignal
  /** The first failure ends the run; otherwise it goes on with the next item. */
  readonly stopAtFailure?: boolean
}

/** Receives the progress of a run. */
export interface RunListener<Item, Result> {
  readonly onStart?: (item: Item) => void
  /** `done` counts the items that are behind, this one included. */
  readonly onOutcome?: (outcome: Outcome<Item, Result>, done: number) => void
}

/** Does the same for each item, one call after the other. Items that were not reached have no outcome. */
export async function runSequentially<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { signal, stopAtFailure = false, onStart, onOutcome }: RunOptions & RunListener<Item, Result>,
): Promise<readonly Outcome<Item, Result>[]> {
  const outcomes: Outcome<Item, Result>[] = []
  for (const item of items) {
    if (signal.aborted) break
    onStart?.(item)
    const outcome = await outcomeOf(item, work)
    outcomes.push(outcome)
    onOutcome?.(outcome, outcomes.length)
    if (stopAtFailure && !outcome.ok) break
  }
  return outcomes
}

async function outcomeOf<Item, Result>(
  item: Item,
  work: (item: Item) => Promise<Result>,
): Promise<Outcome<Item, Result>> {
  try {
    return { item, ok: true, result: await work(item) }
  } catch (cause) {
    return { item, ok: false, error: cause instanceof Error ? cause : new Error(String(cause)) }
  }
}

/** Returns the results of the calls that succeeded. */
export function resultsOf<Item, Result>(outcomes: readonly Outcome<Item, Result>[]): readonly Result[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [outcome.result] : []))
}

export interface Failure<Item> {
  readonly item: Item
  readonly error: Error
}

export function failuresOf<Item, Result>(
  outcomes: readonly Outcome<Item, Result>[],
): readonly Failure<Item>[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [{ item: outcome.item, error: outcome.error }]))
}
