import type { HeaderFields } from '@tollgate/http/server'
import { Refusal } from '../../lib/refusal.ts'
import { type AdmissionDependencies, admitToken } from '../../relay/admission.ts'
import { RelayError } from '../../relay/relay-error.ts'
import { presentedKey } from '../relay/caller-key.ts'
import type { KeyCaller } from './route.ts'

/** Finds who calls with a relay API key, by the same admission as relayed calls. */
export interface RelayKeys {
  /** Refuses without a key, and with one that a relayed call would be refused with. */
  admit(headers: HeaderFields, address: string): Promise<KeyCaller>
}

export function createRelayKeys(admission: AdmissionDependencies): RelayKeys {
  return {
    async admit(headers, address) {
      try {
        const { tokenId, tokenName, user, group } = await admitToken(
          presentedKey(headers),
          { address },
          admission,
        )
        const { id: userId, username, role } = user
        return { tokenId, tokenName, userId, username, role, group, via: 'relay-key' }
      } catch (error) {
        throw error instanceof RelayError ? refusalOf(error) : error
      }
    },
  }
}

function refusalOf({ status, publicMessage, cause }: RelayError): Refusal {
  if (status >= 500) return new Refusal('database_unavailable', {}, { cause })
  return new Refusal(status === 403 ? 'relay_key_not_allowed' : 'relay_key_invalid', {
    detail: publicMessage,
  })
}
