import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FirstOf } from '../../../components/ui/first-of.tsx'
import { Popover } from '../../../components/ui/overlay/popover.tsx'
import { Tag } from '../../../components/ui/tag.tsx'
import { formatInteger } from '../../../lib/format/format.ts'
import { groupsOf, listOf } from '../channel-state.ts'

/** One or two groups as tags; of more the first, and the others when asked for. */
export function GroupsCell({ group }: { readonly group: string }) {
  const { t } = useTranslation('channels')
  const groups = groupsOf(group)
  return (
    <span className="inline-flex items-center gap-1">
      <FirstOf
        items={groups}
        max={groups.length <= 2 ? 2 : 1}
        more={(count) => (
          <NamesPopover names={groups} label={t('column.group')}>
            +{count}
          </NamesPopover>
        )}
      >
        {(name) => (
          <Tag key={name} className="max-w-24">
            {name}
          </Tag>
        )}
      </FirstOf>
    </span>
  )
}

interface ModelsCellProps {
  readonly models: string
  /** Number of those that no other channel serves to some group. */
  readonly soleCount: number
}

/** Shows the number of models, and their names on hover, focus and press; and how many stop with this channel. */
export function ModelsCell({ models, soleCount }: ModelsCellProps) {
  const { t } = useTranslation('channels')
  const names = listOf(models)
  return (
    <span className="inline-flex flex-col items-end leading-4">
      <NamesPopover names={names} label={t('list.modelsOf', { count: names.length })} mono>
        {formatInteger(names.length)}
      </NamesPopover>
      {soleCount > 0 && (
        <span className="text-2xs text-muted leading-3" title={t('list.soleHint')}>
          {t('list.sole', { count: soleCount })}
        </span>
      )}
    </span>
  )
}

interface NamesPopoverProps {
  readonly names: readonly string[]
  readonly label: string
  readonly mono?: boolean
  readonly children: ReactNode
}

/** Enough to recognise a channel by; the form shows all. */
const visibleNames = 80

function NamesPopover({ names, label, mono = false, children }: NamesPopoverProps) {
  return (
    <Popover
      label={label}
      openOnHover
      align="center"
      className="w-72"
      trigger={
        <button
          type="button"
          aria-label={label}
          className="figures rounded-sm px-1 underline decoration-line-strong decoration-dotted underline-offset-4 hover:text-accent-text hover:decoration-current max-sm:min-h-9"
        >
          {children}
        </button>
      }
    >
      <p className="mb-2 font-medium text-muted text-xs">{label}</p>
      <ul className="-mr-1 flex max-h-64 flex-wrap gap-1 overflow-y-auto pr-1">
        <FirstOf as="li" items={names} max={visibleNames}>
          {(name) => (
            <li key={name} className="max-w-full">
              <Tag mono={mono} className="text-text!">
                {name}
              </Tag>
            </li>
          )}
        </FirstOf>
      </ul>
    </Popover>
  )
}
