import type { AttachedImage } from '../chat/thread.ts'

/** Types that every provider of models with vision reads. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
/** Most providers refuse larger ones. */
export const maxImageBytes = 5_000_000
export const maxImages = 5

type Refusal = 'type' | 'size' | 'count'

interface ImagesRead {
  readonly images: readonly AttachedImage[]
  /** Reasons for which some were left out, each once. */
  readonly refused: readonly Refusal[]
}

/** Returns the reason to refuse a picture. */
export function refusalOf(file: Pick<File, 'type' | 'size'>): Refusal | undefined {
  if (!imageTypes.some((type) => type === file.type)) return 'type'
  return file.size > maxImageBytes ? 'size' : undefined
}

/** Reads the pictures that may be sent; `room` is how many more there may be. */
export async function readImages(files: readonly File[], room: number): Promise<ImagesRead> {
  const fit = files.filter((file) => refusalOf(file) === undefined)
  const refusals = new Set(files.map(refusalOf).filter((refusal) => refusal !== undefined))
  if (fit.length > room) refusals.add('count')
  const images = await Promise.all(fit.slice(0, room).map(readImage))
  return { images, refused: [...refusals] }
}

async function readImage(file: File): Promise<AttachedImage> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'))
    reader.readAsDataURL(file)
  })
  return { name: file.name, url }
}
