import type { Channel } from '@tollgate/api'
import { ChevronRight, TagIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { localList } from '../../../i18n/local-list.ts'
import { cx } from '../../../lib/cx.ts'
import type { TagRow } from '../channel-rows.ts'
import { groupsOf } from '../channel-state.ts'
import { typeName } from '../form/type-facts.ts'

export interface NameCellProps {
  readonly channel: Channel
  /** Under the row of its tag. */
  readonly inTag: boolean
}

/** Name, and below it what tells channels of the same name apart. */
export function NameCell({ channel, inTag }: NameCellProps) {
  const facts = `#${channel.id} · ${typeName(channel.type)} · ${localList(groupsOf(channel.group))}`
  return (
    <span
      className={cx('flex w-40 flex-col max-sm:w-auto min-[1360px]:w-48', inTag && 'pl-6 max-sm:pl-3')}
      title={`${channel.name}\n${facts}`}
    >
      <span className="truncate font-medium leading-4">{channel.name}</span>
      <span className="truncate font-normal text-2xs text-muted leading-4">{facts}</span>
    </span>
  )
}

export interface TagNameProps {
  readonly row: TagRow
  readonly onToggle: (tag: string) => void
}

/** A tag, and the way to fold its channels in and out. */
export function TagName({ row, onToggle }: TagNameProps) {
  const { t } = useTranslation('channels')
  return (
    <button
      type="button"
      aria-expanded={row.open}
      aria-label={t(row.open ? 'tag.fold' : 'tag.unfold', { tag: row.tag })}
      onClick={() => onToggle(row.tag)}
      className="flex max-w-52 items-center gap-1.5 rounded-sm font-medium max-sm:min-h-10 max-sm:max-w-full"
    >
      <ChevronRight
        className={cx('size-3.5 shrink-0 transition-transform', row.open && 'rotate-90')}
        aria-hidden
      />
      <TagIcon className="size-3.5 shrink-0 text-muted" aria-hidden />
      <span className="truncate">{row.tag}</span>
    </button>
  )
}
