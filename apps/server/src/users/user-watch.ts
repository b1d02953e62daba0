import type { Logger } from '../lib/logger.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { UserDirectory } from './user-directory.ts'

interface Dependencies {
  readonly bus: ChangeBus
  readonly users: Pick<UserDirectory, 'find'>
  readonly logger: Pick<Logger, 'warn'>
}

/** For calls that last: tells when their user was banned or the account closed. Answers how to stop listening. */
export function createUserWatch({ bus, users, logger }: Dependencies) {
  return (userId: number, tell: () => void): (() => void) =>
    bus.subscribe('user-changed', ({ id }) => {
      if (id !== userId) return
      users
        .find(userId)
        .then((user) => (user === undefined || user.status === 'banned') && tell())
        .catch((err: unknown) => logger.warn({ err, userId }, 'a changed user could not be read again'))
    })
}
