//! Where each byte of the output comes from.

use everypath_model::{FileId, Span};

/// A run of the output.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Place in the output.
    start: u32,
    end: u32,
    /// For copied text the place of its first byte; for an expansion that of the call.
    origin: Span,
    /// For an expansion, index into `bodies`.
    body: Option<u32>,
}

/// Leads from the output back to the files.
#[derive(Clone, Debug)]
pub struct OriginMap {
    pieces: Vec<Piece>,
    bodies: Vec<Option<Span>>,
    main: FileId,
}

impl OriginMap {
    /// The map of an empty output.
    pub(crate) fn new(main: FileId) -> OriginMap {
        OriginMap {
            pieces: Vec::new(),
            bodies: Vec::new(),
            main,
        }
    }

    /// Records that `start..end` was copied from a file.
    pub(crate) fn copied(&mut self, start: usize, end: usize, origin: Span) {
        let (start, end) = (start as u32, end as u32);
        if let Some(last) = self.pieces.last_mut()
            && last.body.is_none()
            && last.origin.file == origin.file
            && origin.start >= last.origin.end
            && start - last.start == origin.start - last.origin.start
            && end - start == origin.end - origin.start
        {
            last.end = end;
            last.origin.end = origin.end;
            return;
        }
        self.pieces.push(Piece {
            start,
            end,
            origin,
            body: None,
        });
    }

    /// Records that `start..end` is part of what the macro call `call` expands to, and that it is
    /// written at `body`.
    pub(crate) fn expanded(&mut self, start: usize, end: usize, call: Span, body: Option<Span>) {
        let index = self.bodies.len() as u32;
        self.bodies.push(body);
        self.pieces.push(Piece {
            start: start as u32,
            end: end as u32,
            origin: call,
            body: Some(index),
        });
    }

    /// The source of the output bytes `start..end`. Text that a macro made leads to the outermost
    /// macro call, its name and arguments.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let first = self.place(start, start < end);
        if end <= start + 1 {
            first
        } else {
            first.to(self.place(end - 1, true))
        }
    }

    /// Where the text at an output offset is written in a macro's body or arguments; `None` if it
    /// does not come from a macro or the macro is predefined.
    pub fn in_macro(&self, offset: usize) -> Option<Span> {
        let piece = self.piece(offset)?;
        if offset as u32 >= piece.end {
            return None;
        }
        self.bodies[piece.body? as usize]
    }

    /// The last piece that starts at or before an offset.
    fn piece(&self, offset: usize) -> Option<&Piece> {
        let count = self
            .pieces
            .partition_point(|piece| piece.start as usize <= offset);
        count.checked_sub(1).map(|index| &self.pieces[index])
    }

    /// The source of one byte, or of the gap before it.
    fn place(&self, offset: usize, wide: bool) -> Span {
        let Some(piece) = self.piece(offset) else {
            let first = self
                .pieces
                .first()
                .map_or(Span::new(self.main, 0, 0), |p| p.origin);
            return Span {
                end: first.start,
                ..first
            };
        };
        let offset = offset as u32;
        let Span { file, start, end } = piece.origin;
        if offset >= piece.end {
            return Span {
                file,
                start: end,
                end,
            };
        }
        if piece.body.is_some() {
            return piece.origin;
        }
        if piece.end - piece.start != end - start {
            // A token with a line splice in it.
            return piece.origin;
        }
        let at = start + (offset - piece.start);
        Span {
            file,
            start: at,
            end: if wide { at + 1 } else { at },
        }
    }
}
