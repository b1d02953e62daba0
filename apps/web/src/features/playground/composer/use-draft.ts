import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocal, writeLocal } from '../../../lib/browser/local-store.ts'
import { toast } from '../../../lib/toast.ts'
import type { Prompt } from '../chat/chat-store.ts'
import type { AttachedImage } from '../chat/thread.ts'
import { readDraftImages } from '../library/read-conversation.ts'
import { openRecordStore } from '../library/record-store.ts'
import { maxImageBytes, maxImages, readImages } from './read-images.ts'

const draftId = 'next'

/**
 * Holds the message that is being written: stored as it is typed, so that neither a reload nor a server that is down loses it.
 */
export function useDraft(userId: number) {
  const { t } = useTranslation('playground')
  const key = `draft:playground-text-${userId}` as const
  const text = useLocal(key) ?? ''
  const { images, setImages } = useDraftImages(userId)

  async function addFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0) return
    const { images: added, refused } = await readImages(files, maxImages - images.length)
    // A picture is there once, also where one choice has it twice.
    const all = new Map([...images, ...added].map((image) => [image.url, image]))
    if (all.size > images.length) setImages([...all.values()])
    for (const refusal of refused) {
      toast.error(t(`image.refused.${refusal}`, { size: maxImageBytes / 1_000_000, upperBound: maxImages }))
    }
  }

  return {
    text,
    images,
    setText: (next: string) => writeLocal(key, next === '' ? null : next),
    addFiles,
    removeImage: (image: AttachedImage) => setImages(images.filter((other) => other !== image)),
    /** Empties it and hands over what was in it. */
    take(): Prompt {
      writeLocal(key, null)
      if (images.length > 0) setImages([])
      return { text: text.trim(), images }
    },
  }
}

export type Draft = ReturnType<typeof useDraft>

/** Holds the pictures of a draft, which are too large for the storage of its text. */
function useDraftImages(userId: number) {
  const [images, setVisible] = useState<readonly AttachedImage[]>([])
  const store = useMemo(() => openRecordStore(userId, 'drafts'), [userId])
  useEffect(() => {
    let current = true
    const show = (records: readonly unknown[]) => {
      const retained = records.flatMap(readDraftImages)
      if (current && retained.length > 0) setVisible((visible) => (visible.length > 0 ? visible : retained))
    }
    // A browser that forbids storage has no draft from before.
    store.readAll().then(show, () => {})
    return () => {
      current = false
    }
  }, [store])
  return {
    images,
    setImages(next: readonly AttachedImage[]) {
      setVisible(next)
      const write = next.length === 0 ? store.remove(draftId) : store.write(draftRecord(next))
      // Without storage the draft lives as long as its page.
      write.catch(() => {})
    },
  }
}

function draftRecord(images: readonly AttachedImage[]) {
  return { id: draftId, images }
}
