import type { ChannelBatchPreview } from '@tollgate/api'
import { CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FirstOf } from '../../../components/ui/first-of.tsx'
import { inPreviewOrder } from './many-form.ts'

/** Shows the effect of a change on each channel: first the refused ones, with the reasons. */
export function ManyPreview({ previews }: { readonly previews: readonly ChannelBatchPreview[] }) {
  return (
    <ul className="flex flex-col">
      {inPreviewOrder(previews).map((preview) => (
        <li key={preview.id} className="border-b py-2 last:border-b-0">
          <span className="block truncate font-medium" title={preview.name}>
            {preview.name}
          </span>
          <Effect {...preview} />
        </li>
      ))}
    </ul>
  )
}

function Effect({ message, changes }: ChannelBatchPreview) {
  const { t } = useTranslation('channels')
  if (message !== '')
    return (
      <span className="flex items-start gap-1.5 text-bad text-xs leading-5">
        <CircleX className="mt-0.5 size-3.5 shrink-0" aria-hidden />
        {message}
      </span>
    )
  if (changes.length === 0) return <span className="text-muted text-xs">{t('many.same')}</span>
  return changes.map((change) => <ChangeLine key={change.field} {...change} />)
}

type Change = ChannelBatchPreview['changes'][number]

/** Fields with several values; others have one before and one after. */
const lists: ReadonlySet<Change['field']> = new Set(['models', 'group'])

/** Names that one line shows of a list. */
const visibleNames = 12

function ChangeLine({ field, lost, gained }: Change) {
  const { t } = useTranslation('channels')
  return (
    <span className="flex items-baseline gap-2 text-xs leading-5">
      <span className="w-16 shrink-0 text-muted">{t(`many.field.${field}`)}</span>
      {lists.has(field) ? (
        <span className="min-w-0 break-words">
          <Names sign="−" names={lost} className="text-bad" />
          <Names sign="+" names={gained} className="text-good" />
        </span>
      ) : (
        <span className="min-w-0 wrap-anywhere">
          {lost[0] ?? t('many.none')} → <span className="font-medium">{gained[0] ?? t('many.none')}</span>
        </span>
      )}
    </span>
  )
}

interface NamesProps {
  readonly sign: string
  readonly names: readonly string[]
  readonly className: string
}

function Names({ sign, names, className }: NamesProps) {
  return (
    <FirstOf items={names} max={visibleNames}>
      {(name) => (
        <span key={name} className={`mr-2 font-mono ${className}`}>
          {sign}
          {name}
        </span>
      )}
    </FirstOf>
  )
}
