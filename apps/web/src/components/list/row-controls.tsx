import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Power, PowerOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePhone } from '../../lib/browser/media-query.ts'
import type { Question } from '../../lib/confirm.ts'
import { useConfirmedMutation } from '../../lib/confirmed-mutation.ts'
import { toast } from '../../lib/toast.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import type { MenuItems } from '../ui/overlay/menu-items.ts'

/** A row that is on or off. Texts are already translated. */
export interface RowSwitch {
  readonly enabled: boolean
  /** Label that says what pressing does: "Disable laptop". */
  readonly label: string
  readonly busy: boolean
  readonly disabled?: boolean
  readonly press: () => void
}

export interface RowControlsProps {
  /** Content on a phone, left of the buttons, which the card has nowhere else. */
  readonly onCard?: ReactNode
  /** Buttons left of the switch. */
  readonly children?: ReactNode
  /** Left out for a row that can be neither. */
  readonly onOff?: RowSwitch | undefined
  /** Name of the menu. */
  readonly more: string
  /** The other actions, destructive ones last; without any there is no menu. */
  readonly items: MenuItems
}

/** Shows the controls of one row: a switch, and the rest in a menu. */
export function RowControls({ onCard, children, onOff, more, items }: RowControlsProps) {
  const phone = usePhone()
  return (
    <span className="inline-flex items-center gap-0.5 max-sm:min-h-10 max-sm:w-full">
      {phone && <span className="min-w-0 flex-1">{onCard}</span>}
      {children}
      {onOff && (
        <IconButton
          icon={onOff.enabled ? PowerOff : Power}
          size="sm"
          label={onOff.label}
          disabled={onOff.disabled ?? false}
          loading={onOff.busy}
          onClick={onOff.press}
        />
      )}
      {items.length > 0 && (
        <Menu trigger={<IconButton icon={Ellipsis} size="sm" label={more} tooltip={false} />} items={items} />
      )}
    </span>
  )
}

export interface RowSwitchOptions<Row> {
  readonly enabled: boolean
  readonly label: string
  /** Toggles the state; resolves with the updated row. */
  readonly change: () => Promise<Row>
  readonly lists: { readonly show: (client: QueryClient, changed: Row) => void }
  /** Said when it worked. */
  readonly done: string
  /** Asks first; the row stays as it is for a no. */
  readonly ask?: (() => Promise<boolean>) | undefined
  /** Says `done` in a way of its own. */
  readonly say?: ((done: string) => void) | undefined
}

/** Question before a row is switched off or deleted, and message after it was switched off. */
export interface RowStops {
  /** In place of the default: no question before a row is switched off, one before it is deleted. */
  readonly ask?: (act: 'disable' | 'delete') => Promise<boolean>
  readonly offerUndo: (done: string) => void
}

/** Switches a row on or off; the list shows what the server answered. */
export function useRowSwitch<Row>(options: RowSwitchOptions<Row>): RowSwitch {
  const { enabled, label, change, lists, done, ask, say = toast.success } = options
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: change,
    // The list may show the new state before the response comes, and `done` is then of the next press.
    onSuccess: (response, message: string) => {
      lists.show(client, response)
      say(message)
    },
  })
  async function press(): Promise<void> {
    if (ask === undefined || (await ask())) mutate(done)
  }
  return { enabled, label, busy: isPending, press: () => void press() }
}

export interface RowDeletionOptions {
  readonly id: number
  readonly remove: (id: number) => Promise<unknown>
  readonly lists: {
    readonly drop: (client: QueryClient, ids: readonly number[]) => void
    readonly refresh: (client: QueryClient) => Promise<void>
  }
  readonly question: Omit<Question, 'danger'>
  /** Said when it worked. */
  readonly done: string
  /** Asks in place of the question. */
  readonly ask?: (() => Promise<boolean>) | undefined
}

/** Asks, deletes the row, and takes it off the list. */
export function useRowDeletion({ id, remove, lists, question, done, ask }: RowDeletionOptions): () => void {
  const client = useQueryClient()
  const { run, mutate } = useConfirmedMutation(
    { ...question, danger: true },
    {
      mutationFn: () => remove(id),
      onSuccess: async () => {
        lists.drop(client, [id])
        await lists.refresh(client)
      },
      meta: { successMessage: done },
    },
  )
  async function askThenRun(askFirst: () => Promise<boolean>): Promise<void> {
    if (await askFirst()) mutate()
  }
  return ask === undefined ? run : () => void askThenRun(ask)
}
