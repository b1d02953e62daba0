import type { Reply } from '@tollgate/http/server'
import { type AdmissionDependencies, admitToken } from '../../relay/admission/admission.ts'
import { reachableModels } from '../../relay/model-list.ts'
import { refuseGroup } from '../../relay/relay.ts'
import type { RelayDependencies } from '../../relay/relay-dependencies.ts'
import { RelayError } from '../../relay/relay-error.ts'
import { callerDialect, keyOf } from './caller-dialect.ts'
import { jsonReply } from './error-reply.ts'
import { modelLists } from './model-lists/model-lists.ts'
import type { RelayContext } from './relay-context.ts'

interface ModelsDependencies {
  readonly admission: AdmissionDependencies
  readonly relay: Pick<RelayDependencies, 'channels' | 'settings'>
}

/** The models that the caller's key reaches, as clients of its dialect list them. */
export async function listModels(context: RelayContext, deps: ModelsDependencies): Promise<Reply> {
  const dialect = callerDialect(context)
  const models = await modelsFor(context, deps)
  return jsonReply(context, modelLists[dialect].list(models, new URLSearchParams(context.query)))
}

export async function showModel(
  context: RelayContext,
  model: string,
  deps: ModelsDependencies,
): Promise<Reply> {
  const models = await modelsFor(context, deps)
  if (models.includes(model)) return jsonReply(context, modelLists[callerDialect(context)].one(model))
  throw new RelayError('model_not_found', `The model ${model} does not exist or you have no access to it.`, {
    param: 'model',
  })
}

async function modelsFor(context: RelayContext, deps: ModelsDependencies): Promise<readonly string[]> {
  const caller = await admitToken(keyOf(context, callerDialect(context)), context, deps.admission)
  refuseGroup(caller, deps.relay)
  return reachableModels(caller, deps.relay.channels.snapshot)
}
