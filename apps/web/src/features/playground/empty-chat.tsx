import { Link } from '@tanstack/react-router'
import { Cable, MessagesSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { buttonClass } from '../../components/ui/button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'

const examples = ['explain', 'code', 'table', 'translate'] as const

export interface EmptyChatProps {
  /** Puts an example where one writes; it is never sent by itself. */
  readonly onExample: (text: string) => void
  /** No model can be reached yet. */
  readonly unreachable: boolean
  readonly admin: boolean
}

/** Nothing said yet: what this is for, and something to begin with. */
export function EmptyChat({ onExample, unreachable, admin }: EmptyChatProps) {
  const { t } = useTranslation('playground')
  if (unreachable) {
    return (
      <EmptyState
        icon={MessagesSquare}
        title={t('empty.noModels')}
        action={
          admin && (
            <Link to="/channel/add" className={buttonClass('primary')}>
              <Cable className="size-3.5" aria-hidden />
              {t('empty.addChannel')}
            </Link>
          )
        }
      >
        {t(admin ? 'empty.noModelsAdmin' : 'empty.noModelsHint')}
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={MessagesSquare} title={t('empty.title')} className="my-auto max-w-xl!">
      <p>{t('empty.description')}</p>
      <ul className="mt-5 grid gap-2 text-left sm:grid-cols-2">
        {examples.map((example) => (
          <li key={example}>
            <button
              type="button"
              onClick={() => onExample(t(`example.${example}`))}
              className="h-full w-full rounded-lg border bg-surface px-3.5 py-2.5 text-left text-sm text-text transition-colors hover:border-line-strong hover:bg-hover"
            >
              {t(`example.${example}`)}
            </button>
          </li>
        ))}
      </ul>
    </EmptyState>
  )
}
