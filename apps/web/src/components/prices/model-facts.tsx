import type { ReactNode } from 'react'
import { abbreviateNumber, formatInteger } from '../../lib/format/format.ts'
import { NoValue } from '../ui/tag.tsx'

/** Tokens of input and output together: `128K`, `1M`, exact on hover. */
export function ContextSize({ tokens }: { readonly tokens: number | undefined }): ReactNode {
  if (tokens === undefined) return <NoValue />
  return (
    <span className="figures" title={formatInteger(tokens)}>
      {abbreviateNumber(tokens).replace('.0', '')}
    </span>
  )
}

/** Shows the maker of a model; unknown for the operator's own. */
export function Vendor({ name }: { readonly name: string }): ReactNode {
  return name === '' ? <NoValue /> : <span className="truncate">{name}</span>
}
