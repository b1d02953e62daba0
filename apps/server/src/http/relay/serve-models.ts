import type { Reply } from '@tollgate/http/server'
import { type AdmissionDependencies, admitToken } from '../../relay/admission/admission.ts'
import { reachableModels } from '../../relay/model-list.ts'
import { refuseGroup } from '../../relay/relay.ts'
import type { RelayDependencies } from '../../relay/relay-dependencies.ts'
import { RelayError } from '../../relay/relay-error.ts'
import { callerDialect, keyOf } from './caller-dialect.ts'
import { jsonAnswer } from './error-answer.ts'
import { modelLists } from './model-lists/model-lists.ts'
import type { Visit } from './visit.ts'

interface ModelsDependencies {
  readonly admission: AdmissionDependencies
  readonly relay: Pick<RelayDependencies, 'channels' | 'settings'>
}

/** The models that the caller's key reaches, as clients of its dialect list them. */
export async function listModels(visit: Visit, deps: ModelsDependencies): Promise<Reply> {
  const dialect = callerDialect(visit)
  const models = await modelsFor(visit, deps)
  return jsonAnswer(visit, modelLists[dialect].list(models, new URLSearchParams(visit.query)))
}

export async function showModel(visit: Visit, model: string, deps: ModelsDependencies): Promise<Reply> {
  const models = await modelsFor(visit, deps)
  if (models.includes(model)) return jsonAnswer(visit, modelLists[callerDialect(visit)].one(model))
  throw new RelayError('model_not_found', `The model ${model} does not exist or you have no access to it.`, {
    param: 'model',
  })
}

async function modelsFor(visit: Visit, deps: ModelsDependencies): Promise<readonly string[]> {
  const caller = await admitToken(keyOf(visit, callerDialect(visit)), visit, deps.admission)
  refuseGroup(caller, deps.relay)
  return reachableModels(caller, deps.relay.channels.snapshot)
}
