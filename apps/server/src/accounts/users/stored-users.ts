import type { RefusalCode } from '@tollgate/api'
import { Refusal, type RefusalDetails } from '../../lib/refusal.ts'
import type { User } from '../../store/accounts/users.ts'
import { DuplicateError } from '../../store/errors.ts'

/** The user; refuses with `code` when there is none or the account was closed. */
export function activeUser(user: User | undefined, code: RefusalCode = 'record_not_found'): User {
  if (user === undefined || user.deletedAt !== null) throw new Refusal(code)
  return user
}

/** Decides whether an account is open: found accounts may be closed, and a closed one stays enabled. */
export function isOpenAccount(user: User | undefined): user is User {
  return user?.status === 'enabled' && user.deletedAt === null
}

/** Waits for a write. Refuses with `code` when it would repeat a value that belongs to another row. */
export async function refusingDuplicates<Result>(
  write: Promise<Result>,
  code: RefusalCode,
  details: RefusalDetails = {},
): Promise<Result> {
  try {
    return await write
  } catch (cause) {
    throw cause instanceof DuplicateError ? new Refusal(code, details, { cause }) : cause
  }
}
