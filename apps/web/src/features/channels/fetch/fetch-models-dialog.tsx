import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { VirtualList } from '../../../components/ui/select/virtual-list.tsx'
import { Skeleton } from '../../../components/ui/states.tsx'
import { Notice, Tag } from '../../../components/ui/tag.tsx'
import { type ModelDifference, modelDifference, withDifference } from './model-difference.ts'

export interface FetchModelsDialogProps {
  /** Models that the upstream lists; `undefined` while it is asked. */
  readonly listed: readonly string[] | undefined
  /** Error for which it could not be asked. */
  readonly error?: Error | null
  /** Those that the channel has. */
  readonly models: readonly string[]
  /** Requested to upstream model. */
  readonly mapping: ReadonlyMap<string, string>
  readonly applying?: boolean
  readonly onClose: () => void
  readonly onApply: (models: readonly string[]) => void
}

/**
 * Compares the models that the upstream lists with those of the channel: all of the difference is applied, unless the person takes some
 * out.
 */
export function FetchModelsDialog(props: FetchModelsDialogProps) {
  const { listed, error, models, mapping, applying = false, onClose, onApply } = props
  const { t } = useTranslation('channels')
  const difference = useMemo(
    () => (listed ? modelDifference(listed, models, mapping) : { added: [], removed: [] }),
    [listed, models, mapping],
  )
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen: ModelDifference = {
    added: difference.added.filter((name) => !left.has(name)),
    removed: difference.removed.filter((name) => !left.has(name)),
  }
  const next = withDifference(models, chosen)
  const size = chosen.added.length + chosen.removed.length
  const isSame = listed !== undefined && difference.added.length + difference.removed.length === 0
  return (
    <Dialog
      open
      onClose={onClose}
      title={listed ? t('fetch.title', { count: listed.length }) : t('fetch.fetching')}
      description={isSame ? t('fetch.same') : listed && t('fetch.description')}
      footer={
        <>
          <Button onClick={onClose}>{t(isSame ? 'fetch.close' : 'fetch.cancel')}</Button>
          {!isSame && (
            <Button
              variant="primary"
              loading={applying}
              disabled={size === 0 || next.length === 0}
              onClick={() => onApply(next)}
            >
              <ApplyLabel {...chosen} />
            </Button>
          )}
        </>
      }
    >
      {error && <Notice tone="bad">{error.message}</Notice>}
      {!listed && !error && <Loading />}
      {listed && !isSame && <Differences {...difference} left={left} onLeave={setLeft} />}
      {listed && !isSame && next.length === 0 && (
        <p className="mt-2 text-warn text-xs" role="status">
          {t('fetch.noneLeft')}
        </p>
      )}
    </Dialog>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-3" aria-busy>
      <Skeleton className="w-64! max-w-full" />
      <Skeleton className="w-48!" />
      <Skeleton className="w-56!" />
    </div>
  )
}

function ApplyLabel({ added, removed }: ModelDifference) {
  const { t } = useTranslation('channels')
  if (removed.length === 0) return t('fetch.add', { count: added.length })
  if (added.length === 0) return t('fetch.remove', { count: removed.length })
  return t('fetch.apply', { added: added.length, removed: removed.length })
}

interface DifferencesProps extends ModelDifference {
  /** Those that are not applied. */
  readonly left: ReadonlySet<string>
  readonly onLeave: (left: ReadonlySet<string>) => void
}

function Differences({ added, removed, left, onLeave }: DifferencesProps) {
  const { t } = useTranslation('channels')
  const [filter, setFilter] = useState('')
  const gone = useMemo(() => new Set(removed), [removed])
  const found = [...removed, ...added].filter((name) =>
    name.toLowerCase().includes(filter.trim().toLowerCase()),
  )

  function choose(names: readonly string[], on: boolean): void {
    const next = new Set(left)
    for (const name of names) {
      if (on) next.delete(name)
      else next.add(name)
    }
    onLeave(next)
  }
  const all = (names: readonly string[], label: string) =>
    names.length > 0 && (
      <Checkbox
        checked={names.every((name) => !left.has(name))}
        indeterminate={names.some((name) => left.has(name)) && names.some((name) => !left.has(name))}
        onCheckedChange={(on) => choose(names, on)}
        label={label}
      />
    )

  return (
    <div className="flex flex-col gap-2">
      <Input
        icon={Search}
        type="search"
        mono
        value={filter}
        placeholder={t('test.filter')}
        aria-label={t('test.filter')}
        onChange={(event) => setFilter(event.target.value)}
      />
      {all(
        found.filter((name) => gone.has(name)),
        t('fetch.removeAll', { count: found.filter((name) => gone.has(name)).length }),
      )}
      {all(
        found.filter((name) => !gone.has(name)),
        t('fetch.addAll', { count: found.filter((name) => !gone.has(name)).length }),
      )}
      <div className="border-t pt-1">
        <VirtualList items={found} keyOf={(name) => name} estimate={24} className="max-h-[45vh]">
          {(name) => (
            <Checkbox
              checked={!left.has(name)}
              onCheckedChange={(on) => choose([name], on)}
              label={
                <span className="flex items-center gap-2">
                  <span className="wrap-anywhere font-mono text-xs leading-5">{name}</span>
                  <Tag tone={gone.has(name) ? 'warn' : 'good'}>
                    {t(gone.has(name) ? 'fetch.gone' : 'fetch.new')}
                  </Tag>
                </span>
              }
            />
          )}
        </VirtualList>
        {found.length === 0 && <p className="py-2 text-muted">{t('test.nothing')}</p>}
      </div>
    </div>
  )
}
