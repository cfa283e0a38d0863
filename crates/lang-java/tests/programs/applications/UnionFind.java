class UnionFind {
    final int[] parent;
    int groups;

    UnionFind(int n) {
        parent = new int[n];
        groups = n;
        for (int i = 0; i < n; i++) parent[i] = i;
    }

    int find(int x) {
        return parent[x] == x ? x : (parent[x] = find(parent[x]));
    }

    boolean join(int a, int b) {
        a = find(a);
        b = find(b);
        if (a == b) return false;
        parent[Math.max(a, b)] = Math.min(a, b);
        groups--;
        return true;
    }

    public static void main(String[] args) {
        UnionFind u = new UnionFind(30);
        for (int i = 0; i < 30; i++) u.join(i, i * i % 30);
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 30; i++) b.append(u.find(i)).append(' ');
        System.out.println(b + "groups " + u.groups);
        int[][] edges = {{7, 0, 1}, {5, 1, 2}, {8, 0, 2}, {9, 2, 3}, {4, 1, 3}};
        java.util.Arrays.sort(edges, (x, y) -> Integer.compare(x[0], y[0]));
        UnionFind k = new UnionFind(4);
        int cost = 0;
        for (int[] e : edges) if (k.join(e[1], e[2])) cost += e[0];
        System.out.println("spanning tree " + cost);
    }
}
