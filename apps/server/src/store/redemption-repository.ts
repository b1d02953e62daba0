import type { Quota, Redemption, Seconds } from './entities.ts'

export type NewRedemption = Omit<Redemption, 'id' | 'status' | 'redeemedAt' | 'usedUserId' | 'deletedAt'>

export interface RedemptionFilter {
  readonly status?: Redemption['status']
  /** Beginning of the name, whatever the case; a number is the id of a code, too. */
  readonly keyword?: string
}

export interface RedemptionOrder {
  readonly by: 'id' | 'name' | 'quota' | 'redeemedAt'
  readonly descending: boolean
}

/** Deleted codes are found by no call but those that count what was redeemed. */
export interface RedemptionRepository {
  /** Unused codes, all or none, in the order given. Throws `DuplicateError` for a key that exists. */
  createMany(codes: readonly NewRedemption[]): Promise<Redemption[]>
  find(id: number): Promise<Redemption | undefined>
  findByKeyHash(keyHash: string): Promise<Redemption | undefined>
  /** By id. */
  listByIds(ids: readonly number[]): Promise<ReadonlyMap<number, Redemption>>
  /** With the filter's total. */
  page(
    filter: RedemptionFilter,
    order: RedemptionOrder,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ rows: Redemption[]; total: number }>
  /** `undefined`, and nothing has changed, when there is no such code or it is not unused. */
  updateUnused(
    id: number,
    change: { readonly name: string; readonly quota: Quota },
  ): Promise<Redemption | undefined>
  /** Disables unused codes, or makes disabled ones unused; answers the ids of those it changed. */
  switchMany(ids: readonly number[], status: 'unused' | 'disabled'): Promise<number[]>
  /** False, and nothing has changed, when the code is not unused any more, is deleted, or has another quota by now. */
  markUsed(code: Pick<Redemption, 'id' | 'quota'>, userId: number, at: Seconds): Promise<boolean>
  /** Soft delete; answers the ids of those it deleted. */
  deleteMany(ids: readonly number[], at: Seconds): Promise<number[]>
}
