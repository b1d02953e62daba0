import { tokenCreateBody, tokenNameMaxLength } from '@tollgate/api'
import type { Logger } from '../../lib/logger.ts'
import type { User } from '../../store/accounts/users.ts'
import type { Tokens } from './tokens.ts'

const ending = '’s initial token'
/** Maximum length of an owner's name that fits into the name of a token together with the ending. */
const ownerMaxLength = tokenNameMaxLength - ending.length
/** Takes effect when the owner limits the key. */
const remainQuota = 500_000

interface Dependencies {
  readonly tokens: Pick<Tokens, 'create'>
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Creates the first API key of a new account: unlimited, without expiry. Never throws: the account is open, and its owner
 * can create a key.
 */
export function createFirstKey({ tokens, logger }: Dependencies) {
  return async ({ id, username, group }: User): Promise<void> => {
    const owner = [...username].slice(0, ownerMaxLength).join('')
    const body = { name: owner + ending, unlimited_quota: true, remain_quota: remainQuota }
    try {
      await tokens.create({ userId: id, group }, tokenCreateBody.parse(body))
    } catch (err) {
      logger.warn(
        { err, userId: id },
        'the first API key of this new account was not created: its owner creates one in the console',
      )
    }
  }
}
