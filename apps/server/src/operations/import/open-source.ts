import type { Vault } from '../../lib/crypto.ts'
import type { Logger } from '../../lib/logger.ts'
import { isServerAddress, openForeign } from '../../store/engine/foreign/open-foreign.ts'
import type { Seconds } from '../../store/units.ts'
import { openGatewaySource } from './gateways/gateway-source.ts'
import { ImportError, type ImportSource } from './import-source.ts'
import { readConfigFile } from './litellm/config-file.ts'
import { openLiteLlmSource } from './litellm/litellm-source.ts'
import { openSourceInstallation } from './tollgate/open-database.ts'
import { openTollgateSource } from './tollgate/tollgate-source.ts'

export const sourceKinds = ['one-api', 'new-api', 'litellm', 'tollgate'] as const

interface SourceArguments {
  readonly operands: readonly string[]
  readonly values: Readonly<Record<string, string>>
}

interface Dependencies {
  /** Called when rows are read, not before. */
  readonly vault: Pick<Vault, 'hash'>
  readonly now: Seconds
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
}

/**
 * Opens the gateway that the command names, to read.
 * @throws ImportError or StoreOpenError with one sentence
 */
export async function openSource(
  { operands, values }: SourceArguments,
  deps: Dependencies,
): Promise<ImportSource> {
  const kind = sourceKinds.find((each) => each === values['from'])
  const [address = '', second] = operands
  switch (kind) {
    case undefined:
      throw new ImportError(`--from is one of ${sourceKinds.join(', ')}, not "${values['from']}".`)
    case 'litellm':
      return await openLiteLlm(operands, values['unlimited-balance'] ?? '1000', deps)
    case 'tollgate': {
      if (second !== undefined) throw new ImportError('A Tollgate has one database: name it alone.')
      const secret = values['source-secret'] ?? deps.environment['TOLLGATE_SOURCE_SECRET']
      const installation = await openSourceInstallation({ address, secret, logger: deps.logger })
      try {
        return await openTollgateSource(installation)
      } catch (error) {
        await installation.close()
        throw error
      }
    }
    default: {
      if (second !== undefined) throw new ImportError(`${kind} has one database: name it alone.`)
      const database = await openForeign(address)
      try {
        return await openGatewaySource({ ...deps, kind, database })
      } catch (error) {
        await database.close()
        throw error
      }
    }
  }
}

/** Its config.yaml and its database are told apart by their names. */
async function openLiteLlm(
  operands: readonly string[],
  balance: string,
  deps: Dependencies,
): Promise<ImportSource> {
  const unlimitedBalance = Number(balance)
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(balance))
    throw new ImportError(`--unlimited-balance is a number of dollars, not "${balance}".`)
  const addresses = operands.filter(isServerAddress)
  const files = operands.filter((operand) => !isServerAddress(operand))
  const [address] = addresses
  const [file] = files
  if (addresses.length > 1 || files.length > 1 || address?.startsWith('mysql:'))
    throw new ImportError(
      'LiteLLM has one config.yaml and one PostgreSQL database: name one of each, or either.',
    )
  const config = file === undefined ? undefined : readConfigFile(file)
  const database = address === undefined ? undefined : await openForeign(address)
  const origin = [file ?? [], database?.origin ?? []].flat().join(' and ')
  try {
    return await openLiteLlmSource({ ...deps, config, database, origin, unlimitedBalance })
  } catch (error) {
    await database?.close()
    throw error
  }
}
