import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { VirtualList } from '../../../components/ui/select/virtual-list.tsx'
import { Tag } from '../../../components/ui/tag.tsx'

export interface FetchModelsDialogProps {
  /** What the upstream answered; `undefined`: closed. */
  readonly names: readonly string[] | undefined
  readonly chosen: readonly string[]
  readonly onClose: () => void
  readonly onAdd: (names: readonly string[]) => void
}

/** The upstream's list, to choose from: hundreds of names are rarely all wanted. */
export function FetchModelsDialog({ names, chosen, onClose, onAdd }: FetchModelsDialogProps) {
  return names ? <Picker names={names} chosen={chosen} onClose={onClose} onAdd={onAdd} /> : null
}

function Picker({
  names,
  chosen,
  onClose,
  onAdd,
}: FetchModelsDialogProps & { readonly names: readonly string[] }) {
  const { t } = useTranslation('channels')
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('fetch.title', { count: names.length })}
      description={t('fetch.description')}
      footer={
        <>
          <Button onClick={onClose}>{t('fetch.cancel')}</Button>
          <Button
            variant="primary"
            disabled={picked.size === 0}
            onClick={() => {
              onAdd([...picked])
              onClose()
            }}
          >
            {t('fetch.add', { count: picked.size })}
          </Button>
        </>
      }
    >
      <Choices names={names} chosen={chosen} picked={picked} onPick={setPicked} />
    </Dialog>
  )
}

interface ChoicesProps {
  readonly names: readonly string[]
  /** Those that the channel has. */
  readonly chosen: readonly string[]
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
}

function Choices({ names, chosen, picked, onPick }: ChoicesProps) {
  const { t } = useTranslation('channels')
  const [filter, setFilter] = useState('')
  const present = useMemo(() => new Set(chosen), [chosen])
  const found = names.filter((name) => name.toLowerCase().includes(filter.trim().toLowerCase()))
  const addable = found.filter((name) => !present.has(name))
  const allPicked = addable.length > 0 && addable.every((name) => picked.has(name))

  function pick(list: readonly string[], on: boolean): void {
    const next = new Set(picked)
    for (const name of list) {
      if (on) next.add(name)
      else next.delete(name)
    }
    onPick(next)
  }

  return (
    <div className="flex flex-col gap-2">
      <Input
        icon={Search}
        autoFocus
        mono
        value={filter}
        placeholder={t('test.filter')}
        aria-label={t('test.filter')}
        onChange={(event) => setFilter(event.target.value)}
      />
      {addable.length > 0 && (
        <Checkbox
          checked={allPicked}
          indeterminate={!allPicked && addable.some((name) => picked.has(name))}
          onCheckedChange={(on) => pick(addable, on)}
          label={t('fetch.all', { count: addable.length })}
        />
      )}
      <div className="border-t pt-1">
        <VirtualList items={found} keyOf={(name) => name} estimate={24} className="max-h-[50vh]">
          {(name) => (
            <Checkbox
              checked={present.has(name) || picked.has(name)}
              disabled={present.has(name)}
              onCheckedChange={(on) => pick([name], on)}
              label={
                <span className="flex items-center gap-2">
                  <span className="break-all font-mono text-xs leading-5">{name}</span>
                  {present.has(name) && <Tag>{t('fetch.present')}</Tag>}
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
