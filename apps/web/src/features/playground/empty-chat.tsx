import { Cable, MessagesSquare } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { Tag } from '../../components/ui/tag.tsx'

const examples = ['explain', 'code', 'table', 'translate'] as const

export interface EmptyChatProps {
  /** Puts an example where one writes; it is never sent by itself. */
  readonly onExample: (text: string) => void
  /** No model can be reached yet. */
  readonly unreachable: boolean
  readonly admin: boolean
}

/** Nothing said yet: two messages that show what this is for, and something to begin with. */
export function EmptyChat({ onExample, unreachable, admin }: EmptyChatProps) {
  const { t } = useTranslation('playground')
  if (unreachable) return <NoModels admin={admin} />
  return (
    <div className="mx-auto flex w-full max-w-[800px] flex-1 flex-col justify-end gap-5 px-5 py-4 max-sm:px-1">
      <SampleMessages />
      <section aria-label={t('examples')}>
        <ul className="grid gap-2 sm:grid-cols-2">
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
      </section>
    </div>
  )
}

/** Shows sample messages. They vanish with the first message and are never sent to a model. */
function SampleMessages() {
  const { t } = useTranslation('playground')
  return (
    <div className="mb-auto flex flex-col gap-5">
      <p className="self-end rounded-lg bg-accent-soft px-3.5 py-2">{t('sample.question')}</p>
      <div>
        <p className="mb-1.5">
          <Tag>{t('sample.mark')}</Tag>
        </p>
        <p className="max-w-[65ch] leading-relaxed">{t('sample.answer')}</p>
      </div>
    </div>
  )
}

function NoModels({ admin }: { readonly admin: boolean }) {
  const { t } = useTranslation('playground')
  return (
    <EmptyState
      icon={MessagesSquare}
      title={t('empty.noModels')}
      action={
        admin && (
          <LinkButton to="/channel/add" variant="primary" icon={Cable}>
            {t('empty.addChannel')}
          </LinkButton>
        )
      }
    >
      {t(admin ? 'empty.noModelsAdmin' : 'empty.noModelsHint')}
    </EmptyState>
  )
}
