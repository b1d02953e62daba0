/** Things with an id, kept by the browser. */
export interface RecordStore {
  readAll(): Promise<readonly unknown[]>
  write(record: { readonly id: string }): Promise<void>
  remove(id: string): Promise<void>
}

const stores = ['conversations', 'drafts'] as const

/**
 * A part of this person's database: pictures make conversations too large for local storage. Private windows may
 * forbid it; every call is refused then.
 */
export function openRecordStore(userId: number, name: (typeof stores)[number]): RecordStore {
  let opening: Promise<IDBDatabase> | undefined
  async function within<Result>(
    mode: IDBTransactionMode,
    run: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> {
    opening ??= openDatabase(`tollgate-playground-${userId}`)
    const database = await opening
    return done(run(database.transaction(name, mode).objectStore(name)))
  }
  return {
    readAll: () => within<unknown[]>('readonly', (store) => store.getAll()),
    write: async (record) => void (await within('readwrite', (store) => store.put(record))),
    remove: (id) => within('readwrite', (store) => store.delete(id)),
  }
}

async function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    for (const store of stores) request.result.createObjectStore(store, { keyPath: 'id' })
  }
  return done(request)
}

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the browser kept nothing'))
  })
}
