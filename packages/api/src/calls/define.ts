import type { CallPart } from '../admin-parts.ts'
import type { Access, Call, Method } from '../call.ts'

type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never
/** The fields of a call beside its method, its path and who may use it. */
type Terms = Without<Call, 'method' | 'path' | 'access'>

/** A call of administrators names its part; no other has one. */
type PartOf<A extends Access> = A extends 'admin' ? { readonly part: CallPart } : { readonly part?: never }

/** One line of the table: keeps the literal types of the call, so that client and server are checked against it. */
function callBy<const M extends Method>(method: M) {
  return <const A extends Access, const P extends `/${string}`, const T extends Terms>(
    access: A,
    path: P,
    terms: T & PartOf<A>,
  ): { readonly method: M; readonly access: A; readonly path: P } & T => ({ method, access, path, ...terms })
}

export const get = callBy('GET')
export const post = callBy('POST')
export const put = callBy('PUT')
export const del = callBy('DELETE')
