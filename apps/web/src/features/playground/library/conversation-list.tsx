import { MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../components/ui/button.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { Menu } from '../../../components/ui/overlay/menu.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { confirm } from '../../../lib/confirm.ts'
import { cx } from '../../../lib/cx.ts'
import { type ConversationSummary, type Library, maxConversations } from './library.ts'

export interface ConversationListProps {
  readonly library: Library
  /** A conversation is on screen now. */
  readonly onOpened?: () => void
}

/** Lists former conversations, newest first. */
export function ConversationList({ library, onOpened }: ConversationListProps) {
  const { t } = useTranslation('playground')
  const { summaries, currentId, unreadable, forgetful } = library.state
  return (
    <div className="flex flex-col gap-3">
      {unreadable && <Notice tone="warn">{t('library.unreadable')}</Notice>}
      {forgetful && <Notice tone="warn">{t('library.forgetful')}</Notice>}
      {summaries.length > 0 && (
        <ul className="-mx-1.5 flex flex-col gap-px">
          {summaries.map((summary) => (
            <ConversationRow
              key={summary.id}
              summary={summary}
              current={summary.id === currentId}
              onOpen={() => {
                library.open(summary.id)
                onOpened?.()
              }}
              onRename={(name) => library.rename(summary.id, name)}
              onRemove={() => library.remove(summary.id)}
            />
          ))}
        </ul>
      )}
      <p className="text-muted text-xs">
        {t(summaries.length === 0 ? 'library.empty' : 'library.kept', { count: maxConversations })}
      </p>
    </div>
  )
}

interface ConversationRowProps {
  readonly summary: ConversationSummary
  readonly current: boolean
  readonly onOpen: () => void
  readonly onRename: (name: string) => void
  readonly onRemove: () => void
}

function ConversationRow({ summary, current, onOpen, onRename, onRemove }: ConversationRowProps) {
  const { t } = useTranslation('playground')
  const [renaming, setRenaming] = useState(false)
  const title = summary.title || t('library.untitled')
  if (renaming) {
    return (
      <RenameField
        name={title}
        onDone={(name) => {
          setRenaming(false)
          if (name !== undefined) onRename(name)
        }}
      />
    )
  }
  async function remove(): Promise<void> {
    const yes = await confirm({
      title: t('library.removeTitle'),
      description: t('library.removeDescription', { title }),
      confirmLabel: t('library.removeConfirm'),
      danger: true,
    })
    if (yes) onRemove()
  }
  return (
    <li className={cx('group/row flex items-center rounded hover:bg-hover', current && 'bg-accent-soft!')}>
      <button
        type="button"
        aria-current={current ? 'true' : undefined}
        onClick={onOpen}
        className="min-w-0 flex-1 rounded px-2 py-1.5 text-left"
      >
        <span className={cx('block truncate text-sm', current && 'font-medium text-accent-text')}>
          {title}
        </span>
        <span className="block text-2xs text-muted">
          <RelativeTime at={Math.floor(summary.updatedAt / 1000)} />
        </span>
      </button>
      <Menu
        trigger={
          <IconButton
            icon={MoreHorizontal}
            label={t('library.more', { title })}
            size="sm"
            tooltip={false}
            className="opacity-0 focus-visible:opacity-100 group-hover/row:opacity-100 data-popup-open:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100"
          />
        }
        items={[
          { kind: 'action', label: t('library.rename'), icon: Pencil, run: () => setRenaming(true) },
          { kind: 'separator' },
          {
            kind: 'action',
            label: t('library.remove'),
            icon: Trash2,
            danger: true,
            run: () => void remove(),
          },
        ]}
      />
    </li>
  )
}

interface RenameFieldProps {
  readonly name: string
  /** Ends the edit; without a name it stays as it is. */
  readonly onDone: (name?: string) => void
}

function RenameField({ name: before, onDone }: RenameFieldProps) {
  const { t } = useTranslation('playground')
  const [name, setName] = useState(before)
  const words = name.trim()
  const save = () => onDone(words === '' || words === before ? undefined : words)
  function onKeyDown(event: KeyboardEvent): void {
    // The Enter that ends a composed word belongs to the input method.
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) save()
    if (event.key === 'Escape') {
      event.stopPropagation()
      onDone()
    }
  }
  return (
    <li className="px-1.5 py-1">
      <Input
        autoFocus
        aria-label={t('library.name')}
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={save}
      />
    </li>
  )
}
