/**
 * What proxies that compress make of a tag: a weak one (nginx), or one with the encoding at its end (Apache `-gzip`, Jetty
 * `--gzip`, others `;br`). Tags of the service have letters and digits only.
 */
const sentTag = /^(?:W\/)?"([a-z\d]*)(?:[-;:+]{1,2}(?:gzip|br|deflate|zstd))?"$/i;

/**
 * The tags in `If-Match` or `If-None-Match`, as the service gave them: without what a proxy on the way added. A tag of a
 * version stays the tag of that version, so that a compressing proxy does not turn every change into 412.
 */
export function sentTags(header: string): string[] {
  return header.split(',').map((each) => {
    const text = each.trim();
    const tag = sentTag.exec(text)?.[1];
    return tag === undefined ? text : `"${tag}"`;
  });
}
