import type { Seconds } from './entities.ts'

/** Whose an answer is: the key that asked for it, and the key's user. */
export interface ResponseOwner {
  readonly userId: number
  readonly tokenId: number
}

/** An answer that its owner may come back to. */
export interface StoredResponse extends ResponseOwner {
  readonly id: string
  /** The answer that it went on from; empty for none. */
  readonly previousId: string
  /** What was asked and answered, sealed. */
  readonly sealed: string
  /** Of it before it was sealed. */
  readonly bytes: number
  readonly createdAt: Seconds
  readonly expiresAt: Seconds
}

export interface NewStoredResponse extends StoredResponse {
  /** Of the items of its output. */
  readonly itemIds: readonly string[]
  /** Every answer that it went on from, near and far: they are kept as long as this one is. */
  readonly ancestorIds: readonly string[]
}

/** One answer of a conversation. */
export interface ResponseLink {
  readonly id: string
  readonly previousId: string
  readonly bytes: number
}

export interface ResponseBounds {
  readonly responses: number
  readonly bytes: number
}

/** Answers of the Responses API, each its owner's alone. `now`: what has expired by then is not found. */
export interface StoredResponseRepository {
  /**
   * All of them or none. One takes the place of another with its id; one that would have gone on from itself is left out.
   */
  addAll(responses: readonly NewStoredResponse[]): Promise<void>
  findOwn(owner: ResponseOwner, id: string, now: Seconds): Promise<StoredResponse | undefined>
  /** In no order; those that are not there are left out. */
  listOwn(owner: ResponseOwner, ids: readonly string[], now: Seconds): Promise<readonly StoredResponse[]>
  /** The answer and those that it went on from, at most `limit`, the oldest first. */
  listOwnConversation(
    owner: ResponseOwner,
    id: string,
    now: Seconds,
    limit: number,
  ): Promise<readonly ResponseLink[]>
  /** Item id → id of the answer whose output has it. */
  findOwnItems(owner: ResponseOwner, itemIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Whether there was one. */
  deleteOwn(owner: ResponseOwner, id: string, now: Seconds): Promise<boolean>
  /** Deletes the oldest of a user, some at a time, until what is left is within the bounds. */
  trimUser(userId: number, bounds: ResponseBounds): Promise<void>
  /** Deletes so many at most; returns how many. */
  deleteExpired(now: Seconds, limit: number): Promise<number>
}
