import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { copyText } from '../../../lib/copy.ts'
import { useLocal, writeLocal } from '../../../lib/local-store.ts'
import { toast } from '../../../lib/toast.ts'
import { modelsQuery } from '../api.ts'

const collapsedCount = 10

/** Names of the models that one's keys can call; a press copies one. */
export function Models() {
  const { t } = useTranslation('personal')
  return (
    <div>
      <h3 className="mb-1.5 text-muted text-xs">{t('models.title')}</h3>
      <QueryBoundary query={useQuery(modelsQuery)}>
        {(models) =>
          models.length === 0 ? (
            <p className="text-muted text-sm">{t('models.none')}</p>
          ) : (
            <ModelList models={models} />
          )
        }
      </QueryBoundary>
    </div>
  )
}

function ModelList({ models }: { readonly models: readonly string[] }) {
  const { t } = useTranslation('personal')
  const expanded = useLocal('modelsExpanded') === 'true'
  const shown = expanded ? models : models.slice(0, collapsedCount)
  const hidden = models.length - collapsedCount

  async function copy(model: string): Promise<void> {
    if (await copyText(model)) toast.success(t('models.copied', { model }))
  }

  return (
    <>
      <ul className="flex flex-wrap gap-1">
        {shown.map((model) => (
          <li key={model} className="max-w-full">
            <button
              type="button"
              aria-label={t('models.copy', { model })}
              onClick={() => void copy(model)}
              className="inline-flex h-6 max-w-full items-center rounded-sm bg-hover px-2 font-mono text-2xs transition-colors hover:bg-accent-soft hover:text-accent-text max-sm:h-10 max-sm:px-3"
            >
              <span className="truncate">{model}</span>
            </button>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={expanded}
          className="mt-1 -ml-2"
          onClick={() => writeLocal('modelsExpanded', String(!expanded))}
        >
          {expanded ? t('models.fewer') : t('models.more', { count: hidden })}
        </Button>
      )}
    </>
  )
}
