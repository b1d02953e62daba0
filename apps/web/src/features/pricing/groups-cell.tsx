import { Check } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { Popover } from '../../components/ui/popover.tsx'

export interface GroupChoice {
  readonly name: string
  readonly ratio: number
  readonly description: string
}

export interface GroupsCellProps {
  /** Of the model, as far as whoever asks may use them. */
  readonly groups: readonly GroupChoice[]
  /** Whose prices are shown. */
  readonly shown: string
  readonly onShow: (group: string) => void
}

/** The groups that reach a model; one of them has its prices shown. */
export function GroupsCell({ groups, shown, onShow }: GroupsCellProps): ReactNode {
  const { t } = useTranslation('pricing')
  const [open, setOpen] = useState(false)
  const [first] = groups
  if (!first) return <span className="text-muted">{t('groups.none')}</span>
  return (
    <Popover
      label={t('groups.title')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" variant="ghost" className="-ml-2 max-w-48">
          <span className="truncate">
            {groups.length === 1 ? first.name : t('groups.count', { count: groups.length })}
          </span>
        </Button>
      }
    >
      <ul className="flex max-h-72 min-w-56 flex-col overflow-y-auto p-1">
        {groups.map(({ name, ratio, description }) => (
          <li key={name}>
            <button
              type="button"
              aria-pressed={name === shown}
              className="flex w-full items-center gap-3 rounded px-2 py-1.5 text-left text-sm hover:bg-hover max-sm:min-h-11"
              onClick={() => {
                setOpen(false)
                onShow(name)
              }}
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{name}</span>
                <span className="block truncate text-muted text-xs">{description}</span>
              </span>
              <span className="figures text-muted">× {ratio}</span>
              <Check className={name === shown ? 'size-4' : 'invisible size-4'} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </Popover>
  )
}
