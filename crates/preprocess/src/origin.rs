//! Where each byte of the output comes from.

use everypath_model::{FileId, Span};

use crate::token::NO_FILE;

/// The call of a piece that comes from no macro.
const COPIED: u32 = u32::MAX;

/// A run of the output.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Place in the output.
    start: u32,
    end: u32,
    /// Index into `calls`, or [`COPIED`].
    call: u32,
    /// Where it is written; `file` is [`NO_FILE`] if that is nowhere.
    file: u32,
    from: u32,
    to: u32,
}

/// Leads from the output back to the files.
#[derive(Clone, Debug)]
pub struct OriginMap {
    pieces: Vec<Piece>,
    calls: Vec<Span>,
    main: FileId,
}

impl OriginMap {
    /// The map of an empty output.
    pub(crate) fn new(main: FileId) -> OriginMap {
        OriginMap { pieces: Vec::new(), calls: Vec::new(), main }
    }

    /// Records that `start..end` was copied from a file.
    pub(crate) fn copied(&mut self, start: usize, end: usize, origin: Span) {
        let (start, end) = (start as u32, end as u32);
        let Span { file: FileId(file), start: from, end: to } = origin;
        if let Some(last) = self.pieces.last_mut()
            && last.call == COPIED
            && last.file == file
            && last.to <= from
            && start - last.start == from - last.from
            && end - start == to - from
        {
            last.end = end;
            last.to = to;
            return;
        }
        self.pieces.push(Piece { start, end, call: COPIED, file, from, to });
    }

    /// Records that `start..end` is part of what the macro call `call` expands to, and that it is
    /// written at `body`.
    pub(crate) fn expanded(&mut self, start: usize, end: usize, call: Span, body: Option<Span>) {
        if self.calls.last() != Some(&call) {
            self.calls.push(call);
        }
        let (file, from, to) = body.map_or((NO_FILE, 0, 0), |b| (b.file.0, b.start, b.end));
        self.pieces.push(Piece {
            start: start as u32,
            end: end as u32,
            call: self.calls.len() as u32 - 1,
            file,
            from,
            to,
        });
    }

    /// The source of the output bytes `start..end`. Text that a macro made leads to the outermost
    /// macro call, its name and arguments.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let first = self.place(start, start < end);
        if end <= start + 1 { first } else { first.to(self.place(end - 1, true)) }
    }

    /// Where the text at an output offset is written in a macro's body or arguments; `None` if it
    /// does not come from a macro or the macro is predefined.
    pub fn in_macro(&self, offset: usize) -> Option<Span> {
        let piece = self.piece(offset)?;
        if offset as u32 >= piece.end || piece.call == COPIED || piece.file == NO_FILE {
            return None;
        }
        Some(Span { file: FileId(piece.file), start: piece.from, end: piece.to })
    }

    /// The last piece that starts at or before an offset.
    fn piece(&self, offset: usize) -> Option<&Piece> {
        let count = self.pieces.partition_point(|piece| piece.start as usize <= offset);
        count.checked_sub(1).map(|index| &self.pieces[index])
    }

    /// The call of a piece, or where it was copied from.
    fn origin(&self, piece: &Piece) -> Span {
        match piece.call {
            COPIED => Span { file: FileId(piece.file), start: piece.from, end: piece.to },
            call => self.calls[call as usize],
        }
    }

    /// The source of one byte, or of the gap before it.
    fn place(&self, offset: usize, wide: bool) -> Span {
        let Some(piece) = self.piece(offset) else {
            let first = self.pieces.first().map(|piece| self.origin(piece));
            let first = first.unwrap_or(Span::new(self.main, 0, 0));
            return Span { end: first.start, ..first };
        };
        let origin = self.origin(piece);
        let offset = offset as u32;
        if offset >= piece.end {
            return Span { start: origin.end, ..origin };
        }
        // A token with a line splice in it is longer in the file than in the output.
        if piece.call != COPIED || piece.end - piece.start != piece.to - piece.from {
            return origin;
        }
        let start = piece.from + (offset - piece.start);
        Span { start, end: start + u32::from(wide), ..origin }
    }
}
