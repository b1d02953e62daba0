import { tokenCreateBody, tokenNameMaxLength } from '@tollgate/api'
import type { Logger } from '../lib/logger.ts'
import type { User } from '../store/repositories/users.ts'
import type { Tokens } from './tokens.ts'

const ending = '’s initial token'
/** Kept beside "unlimited", for when its owner limits it. */
const remainQuota = 500_000

interface Dependencies {
  readonly tokens: Pick<Tokens, 'create'>
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Makes the first API key of somebody who has just registered: unlimited, for ever. Never throws: the account is open, and
 * its owner can make a key.
 */
export function createFirstKey({ tokens, logger }: Dependencies) {
  return async ({ id, username, group }: User): Promise<void> => {
    const owner = [...username].slice(0, tokenNameMaxLength - ending.length).join('')
    const body = { name: owner + ending, unlimited_quota: true, remain_quota: remainQuota }
    try {
      await tokens.create({ userId: id, group }, tokenCreateBody.parse(body))
    } catch (err) {
      logger.warn({ err, userId: id }, 'the first API key of a new account could not be made')
    }
  }
}
