import { RelayError } from '../../relay/relay-error.ts'
import { StoreFault } from '../../store/errors.ts'

/** What a database that cannot be asked means for whoever reads stored answers: not that there are none. */
export async function orDatabaseUnavailable<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch (cause) {
    if (!(cause instanceof StoreFault)) throw cause
    throw new RelayError(
      'database_unavailable',
      'Stored responses cannot be read right now. Try again shortly.',
      {
        cause,
      },
    )
  }
}
