import type { Seconds } from './entities.ts'

/** Who was told that their balance is low, and has not been above their threshold since. */
export interface QuotaWarningRepository {
  listAll(): Promise<readonly QuotaWarning[]>
  /** Nothing changes for somebody who is among them already. */
  add(userId: number, at: Seconds): Promise<void>
  /** The message about it is under way no more: it arrived, or was given up. */
  markSettled(userId: number): Promise<void>
  remove(userId: number): Promise<void>
}

export interface QuotaWarning {
  readonly userId: number
  /** False while the message is still to be delivered, also after a restart. */
  readonly settled: boolean
}
