import { type FreeField, rowOfType } from '@tollgate/providers/table'

/** Rules for the free field `other` of some types (operations §3.2), for the form and the server alike. */

export type OtherFault =
  | 'region-required'
  | 'region-default-required'
  | 'library-required'
  | 'account-required'
  | 'application-unknown'

/** The default of an empty field. */
export function standardOther(type: number): string {
  return rowOfType(type)?.other?.standard ?? ''
}

/** The fault of the field; `undefined` without one. */
export function otherFault(other: string, type: number): OtherFault | undefined {
  const kind = rowOfType(type)?.other?.kind
  return kind && faults[kind]?.(other.trim())
}

const faults: Readonly<Partial<Record<FreeField['kind'], (other: string) => OtherFault | undefined>>> = {
  knowledgeBase: (library) => (library === '' ? 'library-required' : undefined),
  application: (application) =>
    /^(chatflow|agent)?$/i.test(application) ? undefined : 'application-unknown',
  // It becomes a part of the path: no other text is allowed.
  account: (account) => (/^[\w-]+$/.test(account) ? undefined : 'account-required'),
  region: regionFault,
}

/** It becomes a part of the host: no other text is allowed. */
const regionName = /^[a-z]+(-[a-z]+)*\d*$/

/** A region, or a JSON object of regions by model that has one for the others. */
function regionFault(other: string): OtherFault | undefined {
  const regions = parse(other)
  if (typeof regions !== 'object' || regions === null) return isRegion(other) ? undefined : 'region-required'
  const { default: region } = regions as { readonly default?: unknown }
  if (typeof region !== 'string' || region.trim() === '') return 'region-default-required'
  return Object.values(regions).every(isRegion) ? undefined : 'region-required'
}

function isRegion(value: unknown): boolean {
  return typeof value === 'string' && regionName.test(value.trim())
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
