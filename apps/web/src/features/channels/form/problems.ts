import { channelNameMaxLength } from '@tollgate/api'
import { findChannelType, httpFormOf, type OtherFault, otherFault } from '@tollgate/api/channel-types'
import { modelMappingProblem, statusMappingProblem } from '../mapping/mapping.ts'
import { type NumberProblem, priorityProblem } from './cell-problem.ts'
import { type ChannelForm, trimAddress } from './channel-form.ts'
import { isHttpAddress, settingProblem } from './extra-setting.ts'
import { firstKeyFault } from './key-fault.ts'

/** Key of a problem's sentence. */
export type Problem =
  | 'typeUnsupported'
  | 'nameRequired'
  | 'nameTooLong'
  | 'keyRequired'
  | 'keyInvalid'
  | 'keyFormat'
  | 'keyServiceAccount'
  | 'baseUrlRequired'
  | 'baseUrlInvalid'
  | 'modelsRequired'
  | 'regionRequired'
  | 'regionDefault'
  | 'libraryRequired'
  | 'accountRequired'
  | 'applicationUnknown'
  | NumberProblem
  | 'tagRequired'
  | 'noChanges'
  | 'overrideNotJson'
  | 'overrideNotObject'
  | 'overrideStream'
  | `modelMapping.${NonNullable<ReturnType<typeof modelMappingProblem>>}`
  | `statusMapping.${NonNullable<ReturnType<typeof statusMappingProblem>>}`
  | NonNullable<ReturnType<typeof settingProblem>>

export type Problems = Partial<Record<keyof ChannelForm, Problem>>

/** Finds the problems that keep a form from being saved, by field. A stored channel needs no new key. */
export function problemsOf(form: ChannelForm, mode: 'create' | 'edit'): Problems {
  const found: Partial<Record<keyof ChannelForm, Problem | undefined>> = {
    type: typeProblem(form, mode),
    name: nameProblem(form.name),
    keys: keyProblem(form, mode),
    baseUrl: baseUrlProblem(form),
    other: otherProblem(form, mode),
    models: form.models.length === 0 ? 'modelsRequired' : undefined,
    modelMapping: prefixed('modelMapping', modelMappingProblem(form.modelMapping)),
    priority: priorityProblem(form.priority),
    weight: form.weight === undefined ? 'weightInvalid' : undefined,
    paramOverride: overrideProblem(form.paramOverride),
    statusCodeMapping: prefixed('statusMapping', statusMappingProblem(form.statusCodeMapping)),
    setting: settingProblem(form.setting),
  }
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined))
}

/** Problems that show before saving: an unsupported type, and invalid keys. */
export function liveProblems(form: ChannelForm, mode: 'create' | 'edit'): Problems {
  const { type, keys } = problemsOf(form, mode)
  return {
    ...(type !== undefined && { type }),
    ...(keys !== undefined && keys !== 'keyRequired' && { keys }),
  }
}

function typeProblem({ type }: ChannelForm, mode: 'create' | 'edit'): Problem | undefined {
  return mode === 'create' && findChannelType(type) === undefined ? 'typeUnsupported' : undefined
}

function nameProblem(name: string): Problem | undefined {
  const length = name.trim().length
  if (length === 0) return 'nameRequired'
  return length > channelNameMaxLength ? 'nameTooLong' : undefined
}

function keyProblem(form: ChannelForm, mode: 'create' | 'edit'): Problem | undefined {
  if (form.keys.trim() === '') return mode === 'create' ? 'keyRequired' : undefined
  return firstKeyFault(form)?.problem
}

/** A stored channel that was made without it may be renamed all the same: the server asks when the field changes. */
function otherProblem({ other, type }: ChannelForm, mode: 'create' | 'edit'): Problem | undefined {
  const fault = otherFault(other, type)
  if (fault === undefined || (mode === 'edit' && other === '')) return undefined
  return otherProblems[fault]
}

const otherProblems = {
  'region-required': 'regionRequired',
  'region-default-required': 'regionDefault',
  'library-required': 'libraryRequired',
  'account-required': 'accountRequired',
  'application-unknown': 'applicationUnknown',
} as const satisfies Record<OtherFault, Problem>

function baseUrlProblem({ type, baseUrl }: ChannelForm): Problem | undefined {
  const address = trimAddress(baseUrl)
  if (address === '') return findChannelType(type)?.defaultBaseUrl === '' ? 'baseUrlRequired' : undefined
  const filled =
    findChannelType(type)?.address === 'complete'
      ? address.replaceAll('{model}', 'model')
      : httpFormOf(address, type)
  return isHttpAddress(filled) ? undefined : 'baseUrlInvalid'
}

function overrideProblem(text: string): Problem | undefined {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'overrideNotObject'
    return Object.hasOwn(value, 'stream') ? 'overrideStream' : undefined
  } catch {
    return 'overrideNotJson'
  }
}

function prefixed<Prefix extends string, Name extends string>(
  prefix: Prefix,
  problem: Name | undefined,
): `${Prefix}.${Name}` | undefined {
  return problem === undefined ? undefined : `${prefix}.${problem}`
}
